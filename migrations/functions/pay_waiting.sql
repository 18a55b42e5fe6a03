-- Ends the test of somebody who waited in vain to be listed, with one day's pay. The caller holds both rows, and frees or
-- closes the seat.
create or replace function pay_waiting(c campaigns, p participations, p_now timestamptz)
  returns void language plpgsql as $$
declare pay bigint := c.pay_per_tester_cents / c.duration_days;
begin
  perform pay_tester('waiting-pay:' || p.id, c, p.tester_id, pay, 'Waited to be added to the tester list', p_now);
  update participations set status = 'CANCELLED', payout_amount_cents = pay, closed_at = p_now, wake_at = null,
    at_risk = false where id = p.id;
end $$;
