-- An admin records that a stuck part of a refund was paid by other means than the provider. Its money is pending until
-- settle_outside_refund, so that the provider is not asked for it meanwhile. Only while nothing at the provider can still pay it
-- (otherwise WRONG_STATE), and for everything that is not paid yet (otherwise WRONG_AMOUNT): what was paid before a restore is
-- not paid again. It replaces a record by somebody who is no longer an active admin, even after a lost dispute; nothing can set
-- the refund off in between.
create or replace function record_outside_refund(p_id uuid, p_part uuid, p_amount bigint, p_reference text, p_note text,
  p_needs_two boolean, p_admin uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
  standing uuid;
  is_former boolean;
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  select o.id, not (u.role = 'ADMIN' and u.deleted_at is null and u.suspended_at is null) into standing, is_former
    from outside_refunds o join users u on u.id = o.recorded_by where o.part_id = part.id and o.outcome is null;
  if part.status <> 'PENDING' or part.stuck_since is null or part.retry_asked_at is not null
    or exists (select from provider_calls where subject_id = part.id and status = 'PENDING')
    or (case when is_former then exists (select from disputes where payment_id = part.payment_id and status = 'OPEN')
      else standing is not null or is_kept_by_dispute(part.payment_id) end) then return 'WRONG_STATE'; end if;
  if p_amount <> part.amount_cents - coalesce(part.covered_cents, 0) then return 'WRONG_AMOUNT'; end if;
  if is_former then
    perform settle_outside_refund(standing, 'REFUSED', p_admin, 'Recorded again by another admin.', p_now);
  end if;
  insert into outside_refunds (id, part_id, amount_cents, reference, note, needs_two, recorded_by, recorded_at)
    values (p_id, part.id, p_amount, p_reference, p_note, p_needs_two, p_admin, p_now);
  perform post_pending('refund-outside:' || p_id, account_of('REFUNDS_OWED', null), account_of('REFUNDS_IN_TRANSIT', null),
    part.amount_cents, (select campaign_id from refunds where id = part.refund_id), p_now);
  return 'OK';
end $$;
