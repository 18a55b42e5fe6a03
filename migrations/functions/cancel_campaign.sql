-- Ends a campaign early. Testers who are still testing get floor(pay × days done / duration): the days checked in, or,
-- where no daily check-in is asked for, the whole 24 hours since they joined (`daysDone` of src/participations/rules.ts).
-- Submitted proofs are still reviewed, and the rest is refunded to the developer.
create or replace function cancel_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
  days int;
  pay bigint;
begin
  select * into c from campaigns where id = p_campaign for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status in ('COMPLETED', 'CANCELLED') then return 'WRONG_STATE'; end if;
  for p in select * from participations where campaign_id = p_campaign and status = 'ACTIVE'
    order by tester_id for update
  loop
    days := case when c.daily_check_in then p.check_in_count
      else greatest(floor(extract(epoch from p_now - p.joined_at) / 86400), 0) end;
    days := least(days, c.duration_days);
    pay := c.pay_per_tester_cents * days / c.duration_days;
    perform pay_tester('cancel-pay:' || p.id, c, p.tester_id, pay,
      format('Cancelled test, %s of %s days', days, c.duration_days), p_now);
    update participations set status = 'CANCELLED', payout_amount_cents = pay, closed_at = p_now, wake_at = null,
      at_risk = false where id = p.id;
    update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = p_campaign;
  end loop;
  update campaigns set status = 'CANCELLED', status_changed_at = p_now, closed_at = p_now, rejection_reason = null
    where id = p_campaign;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;
