-- Locks accounts in the order of their ids, for callers that may only read them and decide by balances that must not change.
create or replace function lock_accounts(p_ids bigint[]) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from accounts where id = any (p_ids) order by id for no key update;
end $$;
