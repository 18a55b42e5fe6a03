-- Locks these testers' balances, except those that somebody else has locked, and returns whose they are. A tester who was never
-- paid has none yet; whoever comes first makes it. Runs with the rights of the table's owner, since callers may only read it.
create or replace function hold_free_balances(p_testers uuid[]) returns uuid[] language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare held bigint[];
begin
  held := array(select id from accounts where kind = 'TESTER_BALANCE' and owner_id = any (p_testers)
    order by id for no key update skip locked);
  return array(select tester from unnest(p_testers) given (tester)
      left join accounts a on a.kind = 'TESTER_BALANCE' and a.owner_id = tester
    where case when a.id is null then pg_try_advisory_xact_lock(73045, hashtext(tester::text))
      else a.id = any (held) end);
end $$;
