-- The operator and the developer have settled what was paid twice: the developer returned it to the operator or keeps it, so the
-- platform owes the operator that much less.
create or replace function settle_over_refund(p_id uuid, p_admin uuid, p_note text, p_now timestamptz) returns text
  language plpgsql as $$
declare
  part refund_parts := lock_refund_part((select part_id from over_refunds where id = p_id));
  over_cents bigint;
begin
  if part.id is null then return 'NOT_FOUND'; end if;
  update over_refunds set outcome = 'SETTLED', ended_at = p_now, ended_by = p_admin, note = p_note
    where id = p_id and outcome is null returning amount_cents into over_cents;
  if not found then return 'WRONG_STATE'; end if;
  perform post_transfer('refund-twice-settled:' || p_id, account_of('PAID_OUTSIDE', null), account_of('REFUNDS_OVERPAID', null),
    over_cents, (select campaign_id from refunds where id = part.refund_id), p_now);
  return 'OK';
end $$;
