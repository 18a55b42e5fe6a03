-- Does what closed disputes leave to be done for their campaigns: what would have been refunded meanwhile is refunded now, less
-- what banks took back, and what banks gave back of refunds that were begun before is set off. After a lost dispute nobody new
-- gets in: a campaign that has not started is cancelled, and a running one closes its free seats, including those that become
-- free later, and ends its bench. Each campaign uses the refund id at its position. Returns the testers who waited on the benches
-- that were ended.
create or replace function settle_disputed(p_campaigns uuid[], p_refunds uuid[], p_now timestamptz)
  returns table (tester_id uuid, campaign_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  c campaigns;
  held record;
  refund uuid;
  free int;
begin
  for held in
    select campaigns.id, given.refund from campaigns
      join unnest(p_campaigns, p_refunds) as given (campaign, refund) on given.campaign = campaigns.id
      where campaigns.disputed_since is null order by campaigns.id for update of campaigns
  loop
    select * into strict c from campaigns where campaigns.id = held.id;
    refund := held.refund;
    update campaigns set after_dispute = false where id = c.id;
    -- Before surplus money covers what banks took, because nothing else pays for these refunds.
    perform set_off_refunds(c.id, p_now);
    if c.status in ('COMPLETED', 'CANCELLED') then
      perform refund_unused(refund, c.id, p_now);
    elsif c.dispute_lost_at is null and c.status in ('LIVE', 'PAUSED') then
      perform refund_unused(refund, c.id, p_now);
      perform offer_seats(c.id, false, p_now);
    elsif c.dispute_lost_at is null then
      perform refund_surplus(refund, c.id, c.testers_required * c.pay_per_tester_cents, c.quoted_fee_cents, p_now);
    elsif c.status in ('LIVE', 'PAUSED') then
      return query with gone as (delete from bench_entries where bench_entries.campaign_id = c.id
        returning bench_entries.tester_id, bench_entries.campaign_id) select * from gone;
      update campaigns set bench_testers = 0, offered_seats = 0 where id = c.id;
      free := c.testers_required - c.seats_taken - c.closed_seats;
      if free > 0 then
        perform close_seats(array_fill(c.id, array[free]), array_fill(null::uuid, array[free]), array_fill(refund, array[free]), p_now);
      else
        perform refund_unused(refund, c.id, p_now);
      end if;
    else
      perform cancel_campaign(c.id, refund, p_now);
    end if;
  end loop;
end $$;
