-- A tester's balance in cents, 0 before the first credit.
create or replace function balance_of_tester(p_tester uuid) returns bigint language sql stable as $$
  select coalesce((select balance_cents from accounts where kind = 'TESTER_BALANCE' and owner_id = p_tester), 0)
$$;
