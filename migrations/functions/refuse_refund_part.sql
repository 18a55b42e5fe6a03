-- The provider has refused to pay a part of a refund, for good under this key: its money is owed again, until begin_refunds.
create or replace function refuse_refund_part(p_part uuid, p_reason text, p_now timestamptz) returns text language plpgsql as $$
declare
  r refunds;
  part refund_parts;
  call_id uuid;
begin
  select refunds.* into r from refunds join refund_parts on refund_parts.refund_id = refunds.id
    where refund_parts.id = p_part for update of refunds;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict part from refund_parts where id = p_part for update;
  if part.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  update provider_calls set status = 'REFUSED', reason = p_reason, settled_at = p_now
    where subject_id = part.id and status = 'PENDING' returning id into call_id;
  if not found then return 'WRONG_STATE'; end if;
  perform resolve_pending('refund-void:' || call_id, 'VOID', 'refund-call:' || call_id, account_of('REFUNDS_IN_TRANSIT', null),
    account_of('REFUNDS_OWED', null), part.amount_cents, r.campaign_id, p_now);
  return 'OK';
end $$;
