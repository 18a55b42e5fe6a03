-- The id of an account, which is made at its first use. The platform's own accounts have no owner (null).
create or replace function account_of(p_kind text, p_owner uuid) returns bigint language plpgsql as $$
declare found_id bigint;
begin
  select id into found_id from accounts where kind = p_kind and owner_id is not distinct from p_owner;
  if found_id is null then
    insert into accounts (kind, owner_id, balance_cents) values (p_kind, p_owner, 0)
      on conflict (kind, owner_id) do nothing;
    select id into strict found_id from accounts where kind = p_kind and owner_id is not distinct from p_owner;
  end if;
  return found_id;
end $$;
