-- The provider has refused to pay a part of a refund, for good under this key. Its money is owed again, until begin_refunds.
create or replace function refuse_refund_part(p_part uuid, p_reason text, p_now timestamptz) returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part(p_part);
  campaign uuid := (select campaign_id from refunds where id = part.refund_id);
  call_id uuid;
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  if part.status <> 'PENDING' then return 'WRONG_STATE'; end if;
  update provider_calls set status = 'REFUSED', reason = p_reason, settled_at = p_now
    where subject_id = part.id and status = 'PENDING' returning id into call_id;
  if not found then return 'WRONG_STATE'; end if;
  perform resolve_pending('refund-void:' || call_id, 'VOID', 'refund-call:' || call_id, account_of('REFUNDS_IN_TRANSIT', null),
    account_of('REFUNDS_OWED', null), part.amount_cents, campaign, p_now);
  return 'OK';
end $$;
