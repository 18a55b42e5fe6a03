-- Moves a balance that nobody can withdraw any more to the platform: what a tester gives up with the account, or what comes back
-- to a deleted one. p_source is the tester or the withdrawal that came back; each gives up once.
-- The caller has locked the user's row, so that no payout comes back meanwhile.
create or replace function give_up_balance(p_tester uuid, p_source uuid, p_amount bigint, p_now timestamptz)
  returns text language plpgsql as $$
declare
  wallet bigint := account_of('TESTER_BALANCE', p_tester);
begin
  perform lock_accounts(array[wallet]);
  if balance_of_tester(p_tester) < p_amount then return 'INSUFFICIENT_BALANCE'; end if;
  perform post_transfer('given-up:' || p_source, wallet, account_of('GIVEN_UP', null), p_amount, null, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
    values (p_tester, 'DEBIT', 'COMPLETED', p_amount, 'Given up with the account', p_source, p_now);
  return 'OK';
end $$;
