-- The ids of many owners' accounts of one kind, in the owners' order. Missing ones are made, in the same order for all callers.
-- Runs with the rights of the table's owner, since callers may only read it.
create or replace function accounts_of(p_kind text, p_owners uuid[]) returns bigint[] language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into accounts (kind, owner_id, balance_cents)
    select p_kind, owner, 0 from unnest(p_owners) given (owner)
    where not exists (select from accounts where kind = p_kind and owner_id = owner)
    order by owner
    on conflict (kind, owner_id) do nothing;
  return array(select a.id from unnest(p_owners) with ordinality given (owner, place)
    join accounts a on a.kind = p_kind and a.owner_id = given.owner order by given.place);
end $$;
