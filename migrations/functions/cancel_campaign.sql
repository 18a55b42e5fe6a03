-- Ends a campaign early. Testers who are still testing get floor(pay × days done / duration), and those who waited 7 days or
-- more to be listed one day's pay. Submitted proofs are still reviewed, and the rest is refunded to the developer.
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
    if waits_to_be_listed(c, p) and p.joined_at + make_interval(hours => 168) <= p_now then
      perform pay_waiting(c, p, p_now);
    else
      days := days_tested(c, p, p_now);
      pay := c.pay_per_tester_cents * days / c.duration_days;
      perform pay_tester('cancel-pay:' || p.id, c, p.tester_id, pay,
        format('Cancelled test, %s of %s days', days, c.duration_days), p_now);
      update participations set status = 'CANCELLED', payout_amount_cents = pay, closed_at = p_now, wake_at = null,
        at_risk = false where id = p.id;
    end if;
    update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = p_campaign;
  end loop;
  update campaigns set status = 'CANCELLED', status_changed_at = p_now, closed_at = p_now, rejection_reason = null
    where id = p_campaign;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;
