-- The provider has paid a part of a refund out: the money leaves transit. The last part completes the refund and its line
-- on the statement; parts of one refund are therefore settled one after the other, under the refund's lock. An attempt after the
-- first has its number in the key, since an earlier one may have been paid and come back.
create or replace function settle_refund_part(p_part uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  r refunds;
  part refund_parts;
  call_id uuid;
  attempt_no int;
begin
  select refunds.* into r from refunds join refund_parts on refund_parts.refund_id = refunds.id
    where refund_parts.id = p_part for update of refunds;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict part from refund_parts where id = p_part for update;
  if part.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  update provider_calls set status = 'DONE', settled_at = p_now where subject_id = part.id and status = 'PENDING'
    returning id, attempt into call_id, attempt_no;
  -- Somebody else has booked its answer already, as refused.
  if not found then return 'WRONG_STATE'; end if;
  perform resolve_pending('refund-out:' || part.id || case attempt_no when 1 then '' else ':' || attempt_no end, 'POST',
    'refund-call:' || call_id, account_of('REFUNDS_IN_TRANSIT', null), account_of('PROVIDER_CASH', null), part.amount_cents,
    r.campaign_id, p_now);
  update refund_parts set status = 'COMPLETED', settled_at = p_now where id = part.id;
  if exists (select from refund_parts where refund_id = r.id and status = 'PENDING') then return 'OK'; end if;
  update refunds set status = 'COMPLETED', settled_at = p_now where id = r.id;
  update transactions set status = 'COMPLETED' where source_id = r.id and status = 'PENDING';
  return 'OK';
end $$;
