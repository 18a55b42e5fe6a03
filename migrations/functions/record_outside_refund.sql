-- An admin says that a stuck part of a refund was paid by other means than the provider: its money is pending, so that the provider
-- is not asked for it meanwhile, until settle_outside_refund. Only while nothing at the provider can still pay it (WRONG_STATE), and
-- of all that is not paid yet (WRONG_AMOUNT): what was paid before a restore is not paid again.
create or replace function record_outside_refund(p_id uuid, p_part uuid, p_amount bigint, p_reference text, p_note text,
  p_needs_two boolean, p_admin uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  if part.status <> 'PENDING' or part.stuck_since is null or part.retry_asked_at is not null
    or exists (select from provider_calls where subject_id = part.id and status = 'PENDING')
    or exists (select from outside_refunds where part_id = part.id and outcome is null)
    or is_kept_by_dispute(part.payment_id) then return 'WRONG_STATE'; end if;
  if p_amount <> part.amount_cents - coalesce(part.covered_cents, 0) then return 'WRONG_AMOUNT'; end if;
  insert into outside_refunds (id, part_id, amount_cents, reference, note, needs_two, recorded_by, recorded_at)
    values (p_id, part.id, p_amount, p_reference, p_note, p_needs_two, p_admin, p_now);
  perform post_pending('refund-outside:' || p_id, account_of('REFUNDS_OWED', null), account_of('REFUNDS_IN_TRANSIT', null),
    part.amount_cents, (select campaign_id from refunds where id = part.refund_id), p_now);
  return 'OK';
end $$;
