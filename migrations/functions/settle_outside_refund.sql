-- Books what becomes of a part that an admin paid by other means. PAID: the provider still holds the money, and the platform owes
-- it to the operator, who paid from elsewhere; what the provider had paid of it before a restore is taken off its cash, as when
-- it pays the rest. REFUSED and LAPSED: the part is owed as before.
create or replace function settle_outside_refund(p_id uuid, p_outcome text, p_admin uuid, p_reason text, p_now timestamptz)
  returns text language plpgsql as $$
declare
  part refund_parts := lock_refund_part((select part_id from outside_refunds where id = p_id));
  campaign uuid := (select campaign_id from refunds where id = part.refund_id);
  transit bigint := account_of('REFUNDS_IN_TRANSIT', null);
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  update outside_refunds set outcome = p_outcome, decided_by = p_admin, decided_at = p_now, reason = p_reason
    where id = p_id and outcome is null;
  if not found then return 'WRONG_STATE'; end if;
  if p_outcome = 'PAID' then
    perform resolve_pending('refund-outside-paid:' || p_id, 'POST', 'refund-outside:' || p_id, transit,
      account_of('PAID_OUTSIDE', null), part.amount_cents, campaign, p_now);
    perform post_transfer('refund-outside-covered:' || p_id, account_of('PAID_OUTSIDE', null), account_of('PROVIDER_CASH', null),
      coalesce(part.covered_cents, 0), campaign, p_now);
    perform complete_refund_part(part.id, p_now);
  else
    perform resolve_pending('refund-outside-void:' || p_id, 'VOID', 'refund-outside:' || p_id, transit,
      account_of('REFUNDS_OWED', null), part.amount_cents, campaign, p_now);
  end if;
  return 'OK';
end $$;
