-- The provider's answer to a withdrawal: paid, or (with a reason in p_failure) the money returns to the balance.
create or replace function settle_withdrawal(p_withdrawal uuid, p_failure text, p_now timestamptz)
  returns text language plpgsql as $$
declare w withdrawals;
begin
  select * into w from withdrawals where id = p_withdrawal for update;
  if not found then return 'NOT_FOUND'; end if;
  if w.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  update withdrawals set status = case when p_failure is null then 'COMPLETED' else 'FAILED' end,
    failure_reason = p_failure, settled_at = p_now where id = w.id;
  update provider_calls set status = case when p_failure is null then 'DONE' else 'REFUSED' end, reason = p_failure,
    settled_at = p_now where subject_id = w.id and status = 'PENDING';
  update transactions set status = case when p_failure is null then 'COMPLETED' else 'FAILED' end
    where source_id = w.id and status = 'PENDING';
  if p_failure is null then
    perform resolve_pending('payout:' || w.id, 'POST', 'withdraw:' || w.id, account_of('PAYOUTS_IN_TRANSIT', null),
      account_of('PROVIDER_CASH', null), w.amount_cents, null, p_now);
  else
    perform resolve_pending('payout-back:' || w.id, 'VOID', 'withdraw:' || w.id, account_of('PAYOUTS_IN_TRANSIT', null),
      account_of('TESTER_BALANCE', w.tester_id), w.amount_cents, null, p_now);
    insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
      values (w.tester_id, 'CREDIT', 'REFUNDED', w.amount_cents, 'Withdrawal returned', w.id, p_now);
  end if;
  return 'OK';
end $$;
