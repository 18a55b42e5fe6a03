-- Closes participations without pay: DROPPED by their testers or by a deadline, each for the reason at its position, or REJECTED
-- for good once nobody appealed in time or an appeal failed. The seats are free again. If a campaign was cancelled meanwhile, the
-- money is refunded, with the refund id of the campaign's first participation. Returns the participations that were closed.
-- p_when_due: only those whose deadline has passed, so that a check-in or an appeal in the same second wins.
create or replace function close_all_unpaid(p_participations uuid[], p_from text[], p_to text, p_drop_reasons text[],
  p_when_due boolean, p_refunds uuid[], p_now timestamptz) returns uuid[] language plpgsql as $$
declare
  due uuid[];
  c record;
begin
  perform from campaigns where id in (select campaign_id from participations where id = any (p_participations))
    order by id for update;
  select array_agg(id) into due from (
    select id from participations where id = any (p_participations) and status = any (p_from)
      and closed_at is null and (not p_when_due or wake_at <= p_now) order by id for update) held;
  if due is null then return '{}'; end if;

  update participations p set status = p_to, drop_reason = closed.reason, payout_amount_cents = 0, closed_at = p_now,
    wake_at = null, at_risk = false
    from unnest(p_participations, p_drop_reasons) as closed (id, reason) where p.id = closed.id and p.id = any (due);
  update campaigns set open_testers = open_testers - seats, seats_taken = seats_taken - seats
    from (select campaign_id, count(*) as seats from participations where id = any (due) group by campaign_id) freed
    where campaigns.id = freed.campaign_id;
  for c in
    select campaigns.id, campaigns.status, min(closed.refund::text)::uuid as refund
    from unnest(p_participations, p_refunds) as closed (id, refund)
      join participations p on p.id = closed.id join campaigns on campaigns.id = p.campaign_id
    where p.id = any (due) and (campaigns.status = 'CANCELLED' or campaigns.bench_testers > 0)
    group by campaigns.id order by campaigns.id
  loop
    if c.status = 'CANCELLED' then perform refund_unused(c.refund, c.id, p_now); end if;
    perform offer_seats(c.id, false, p_now);
  end loop;
  return due;
end $$;
