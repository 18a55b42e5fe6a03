-- The counters of a campaign equal the counts of its participations and closed seats. The seat of a rejected proof counts as open
-- until the rejection is final; that of a test that the platform paid is closed.
with tests as (
  select campaign_id, count(*) filter (where status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'APPEALED')
      or (status = 'REJECTED' and closed_at is null)) as open,
    count(*) filter (where status = 'VERIFIED' and not exists (select from appeals
      where participation_id = participations.id and outcome = 'PLATFORM')) as verified, count(*) as ever
  from participations group by campaign_id
), closed as (
  select campaign_id, count(*) as seats from campaign_events where kind = 'SEAT_CLOSED' group by campaign_id
), counted as (
  select c.*, coalesce(t.open, 0) as open, coalesce(t.verified, 0) as verified, coalesce(t.ever, 0) as ever,
    coalesce(s.seats, 0) as closed
  from campaigns c left join tests t on t.campaign_id = c.id left join closed s on s.campaign_id = c.id
)
select id, seats_taken, open_testers, verified_testers, open, verified, joins_ever, ever, closed_seats, closed
from counted
where open_testers <> open or verified_testers <> verified or seats_taken <> open + verified or joins_ever <> ever
  or closed_seats <> closed;
