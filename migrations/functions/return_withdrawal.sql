-- A payout that had arrived has come back (a closed account, a wrong number), so the money returns to the balance. If the account
-- was deleted meanwhile, nobody can withdraw the money, and it is given up like the rest.
-- Locks the user's row first, so that the return and a deletion come one after the other.
create or replace function return_withdrawal(p_withdrawal uuid, p_reason text, p_now timestamptz)
  returns text language plpgsql as $$
declare
  w withdrawals;
  gone boolean;
begin
  select deleted_at is not null into gone from users
    where id = (select tester_id from withdrawals where id = p_withdrawal) for share;
  select * into w from withdrawals where id = p_withdrawal for update;
  if not found then return 'NOT_FOUND'; end if;
  if w.status <> 'COMPLETED' then return 'WRONG_STATE'; end if;
  update withdrawals set status = 'FAILED', failure_reason = p_reason, returned_at = p_now where id = w.id;
  update transactions set status = 'FAILED' where source_id = w.id and type = 'PAYOUT';
  perform post_transfer('payout-returned:' || w.id, account_of('PROVIDER_CASH', null),
    account_of('TESTER_BALANCE', w.tester_id), w.amount_cents, null, p_now);
  insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
    values (w.tester_id, 'CREDIT', 'REFUNDED', w.amount_cents, 'Withdrawal returned', w.id, p_now);
  if gone then perform give_up_balance(w.tester_id, w.id, w.amount_cents, p_now); end if;
  return 'OK';
end $$;
