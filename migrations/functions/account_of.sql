-- The id of an account, which is made when it is first used. The platform's own accounts have no owner (null) and carry no
-- balance. The two cases are separate because no index serves `is not distinct from`. Runs with the rights of the table's owner,
-- since callers may only read it.
create or replace function account_of(p_kind text, p_owner uuid) returns bigint language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare found_id bigint;
begin
  if p_owner is null then
    select id into found_id from accounts where kind = p_kind and owner_id is null;
    if not found then
      insert into accounts (kind) values (p_kind) on conflict (kind, owner_id) do nothing;
      select id into strict found_id from accounts where kind = p_kind and owner_id is null;
    end if;
    return found_id;
  end if;
  select id into found_id from accounts where kind = p_kind and owner_id = p_owner;
  if not found then
    insert into accounts (kind, owner_id, balance_cents) values (p_kind, p_owner, 0)
      on conflict (kind, owner_id) do nothing;
    select id into strict found_id from accounts where kind = p_kind and owner_id = p_owner;
  end if;
  return found_id;
end $$;
