-- Ends the test of a tester who does not accept a changed NDA (`mayRefuse` of src/nda/rules.ts), with the pay for the days done,
-- or for waiting to be listed once that has earned a day's pay. A seat from which pay was taken cannot pay another tester in
-- full, so it is closed and the rest is refunded to the developer. Otherwise the seat is free again.
create or replace function refuse_nda(p_participation uuid, p_refund uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
  days int;
  cents bigint;
begin
  select * into c from campaigns where id = (select campaign_id from participations where id = p_participation) for update;
  select * into p from participations where id = p_participation for update;
  if not found then return 'NOT_FOUND'; end if;
  if p.status not in ('ACTIVE', 'CHANGES_REQUESTED') or c.nda_version is null or c.nda_version <= coalesce(p.nda_accepted, 0)
    or (p.nda_joined is not null and p.nda_accepted is null) then return 'WRONG_STATE'; end if;
  -- A tester who still waits to be listed has not done a day.
  if close_waiting_seat(p.id, false, p_refund, p_now) = 'OK' then return 'OK'; end if;
  days := days_tested(c, p, p_now);
  cents := c.pay_per_tester_cents * days / c.duration_days;
  perform pay_testers(array['nda-pay:' || p.id], array[c.id], array[p.tester_id], array[cents],
    array[format('NDA not accepted, %s of %s days', days, c.duration_days)], p_now);
  update participations set status = 'CANCELLED', nda_refused = true, payout_amount_cents = cents, closed_at = p_now,
    wake_at = null, at_risk = false where id = p.id;
  update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = c.id;
  if cents > 0 then
    perform close_seats(array[c.id], array[p.id], array[p_refund], p_now);
  else
    if c.status = 'CANCELLED' then perform refund_unused(p_refund, c.id, p_now); end if;
    perform offer_seats(c.id, false, p_now);
  end if;
  return 'OK';
end $$;
