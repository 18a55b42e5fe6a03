-- What a developer owes for a lost dispute is settled outside of the product: an admin has recorded that they paid it to the operator
-- by other means, or waived it. Either way the operator owes it to the platform. Everything that is owed, and no other amount
-- (WRONG_AMOUNT). Refused while nothing is owed, or while what follows from the campaign's disputes has not been done, since that
-- may cover some of it (WRONG_STATE).
create or replace function settle_debt(p_id uuid, p_dispute uuid, p_waived boolean, p_amount bigint, p_note text, p_admin uuid,
  p_now timestamptz) returns text language plpgsql as $$
declare
  d disputes;
  owed_cents bigint;
begin
  perform from campaigns where id = (select campaign_id from disputes where id = p_dispute) for update;
  select * into d from disputes where id = p_dispute for update;
  if d.id is null then return 'NOT_FOUND'; end if;
  owed_cents := d.amount_cents - d.covered_cents - d.set_off_cents - d.settled_cents;
  if d.status <> 'LOST' or owed_cents = 0
    or exists (select from campaigns where id = d.campaign_id and after_dispute) then return 'WRONG_STATE'; end if;
  if p_amount <> owed_cents then return 'WRONG_AMOUNT'; end if;
  insert into dispute_settlements (id, dispute_id, kind, amount_cents, note, recorded_by, recorded_at)
    values (p_id, d.id, case when p_waived then 'WAIVED' else 'PAID' end, p_amount, p_note, p_admin, p_now);
  update disputes set settled_cents = settled_cents + p_amount,
    waived_cents = waived_cents + case when p_waived then p_amount else 0 end where id = d.id;
  perform post_transfer('debt-settled:' || p_id, account_of('PAID_OUTSIDE', null), account_of('DISPUTES_RECEIVABLE', null),
    p_amount, d.campaign_id, p_now);
  return 'OK';
end $$;
