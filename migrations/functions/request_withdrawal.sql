-- Requests a payout. The money leaves the balance at once, and a job asks the provider. Refused while the tester is suspended or
-- deleted, for p_pause after the payment method was changed, during a pause for another reason, and beyond the balance.
-- Locks the user's row first, so that a withdrawal and a suspension or deletion come one after the other.
create or replace function request_withdrawal(p_withdrawal uuid, p_tester uuid, p_amount bigint, p_pause interval,
  p_now timestamptz) returns text language plpgsql as $$
declare
  u users;
  wallet bigint;
  balance bigint;
begin
  select * into u from users where id = p_tester for share;
  if not found or u.deleted_at is not null then return 'NOT_FOUND'; end if;
  if u.suspended_at is not null then return 'SUSPENDED'; end if;
  if u.payment_method_changed_at + p_pause > p_now or u.payouts_paused_until > p_now then
    return 'PAYOUT_METHOD_PAUSED';
  end if;
  wallet := account_of('TESTER_BALANCE', p_tester);
  perform lock_accounts(array[wallet]);
  select balance_cents into strict balance from accounts where id = wallet;
  if balance < p_amount then return 'INSUFFICIENT_BALANCE'; end if;
  insert into withdrawals (id, tester_id, amount_cents, destination, status, created_at)
    values (p_withdrawal, p_tester, p_amount, coalesce(u.payment_method, u.email), 'PENDING', p_now);
  perform post_pending('withdraw:' || p_withdrawal, wallet, account_of('PAYOUTS_IN_TRANSIT', null), p_amount, null,
    p_now);
  insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
    values (p_tester, 'PAYOUT', 'PENDING', p_amount, 'Withdrawal to ' || coalesce(u.payment_method, u.email),
      p_withdrawal, p_now);
  return 'OK';
end $$;
