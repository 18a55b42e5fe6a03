-- Ends tests whose testers waited 7 days or more in vain to be listed: each tester is paid for one day, once, and the seats are
-- closed. What the campaigns held for them is refunded, with the refund id of a campaign's first participation. p_when_due: only
-- after 14 days, when the deadline ends them, so that being listed in the same second wins. Returns the tests that were ended.
create or replace function close_waiting_seats(p_participations uuid[], p_when_due boolean, p_refunds uuid[],
  p_now timestamptz) returns uuid[] language plpgsql as $$
declare due uuid[];
begin
  perform from campaigns where id in (select campaign_id from participations where id = any (p_participations))
    order by id for update;
  select array_agg(id) into due from (
    select p.id from participations p join campaigns c on c.id = p.campaign_id
    where p.id = any (p_participations) and waits_to_be_listed(c, p)
      and after_downtimes(waits_since(p), case when p_when_due then 336 else 168 end) <= p_now
    order by p.id for update of p) held;
  if due is null then return '{}'; end if;

  perform pay_testers(array_agg('waiting-pay:' || p.id), array_agg(c.id), array_agg(p.tester_id),
      array_agg(c.pay_per_tester_cents / c.duration_days), array_agg('Waited to be let in'::text), p_now)
    from participations p join campaigns c on c.id = p.campaign_id where p.id = any (due);
  update participations p set status = 'CANCELLED', payout_amount_cents = c.pay_per_tester_cents / c.duration_days,
    closed_at = p_now, wake_at = null, at_risk = false from campaigns c where p.id = any (due) and c.id = p.campaign_id;
  update campaigns set open_testers = open_testers - seats, seats_taken = seats_taken - seats
    from (select campaign_id, count(*) as seats from participations where id = any (due) group by campaign_id) ended
    where campaigns.id = ended.campaign_id;
  perform close_seats(array_agg(p.campaign_id order by p.id), array_agg(p.id order by p.id),
      array_agg(ended.refund order by p.id), p_now)
    from unnest(p_participations, p_refunds) as ended (id, refund) join participations p on p.id = ended.id
    where p.id = any (due);
  return due;
end $$;
