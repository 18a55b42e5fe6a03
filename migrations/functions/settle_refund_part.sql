-- The provider has paid out a part of a refund, so the money leaves transit. The last part completes the refund and its line on
-- the statement. From the second attempt on, keys contain its number, since an earlier attempt may have been paid and come back.
create or replace function settle_refund_part(p_part uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
  campaign uuid := (select campaign_id from refunds where id = part.refund_id);
  call_id uuid;
  attempt_no int;
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  if part.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  update provider_calls set status = 'DONE', settled_at = p_now where subject_id = part.id and status = 'PENDING'
    returning id, attempt into call_id, attempt_no;
  -- Somebody else has already booked the answer as a refusal.
  if not found then return 'WRONG_STATE'; end if;
  perform resolve_pending('refund-out:' || part.id || case attempt_no when 1 then '' else ':' || attempt_no end, 'POST',
    'refund-call:' || call_id, account_of('REFUNDS_IN_TRANSIT', null), account_of('PROVIDER_CASH', null), part.amount_cents,
    campaign, p_now);
  perform complete_refund_part(part.id, p_now);
  return 'OK';
end $$;
