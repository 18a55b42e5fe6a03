-- The counters of a campaign are the counts of its participations, and of the seats that were closed. The seat of a rejected
-- proof counts as open until the rejection is final; that of a test which the platform paid was closed.
select c.id, c.seats_taken, c.open_testers, c.verified_testers, p.open, p.verified, c.joins_ever, p.ever, c.closed_seats, e.closed
from campaigns c
cross join lateral (
  select count(*) filter (where status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'APPEALED')
      or (status = 'REJECTED' and closed_at is null)) as open,
    count(*) filter (where status = 'VERIFIED' and not exists (select from appeals
      where participation_id = participations.id and outcome = 'PLATFORM')) as verified, count(*) as ever
  from participations where campaign_id = c.id
) p
cross join lateral (
  select count(*) as closed from campaign_events where campaign_id = c.id and kind = 'SEAT_CLOSED'
) e
where c.open_testers <> p.open or c.verified_testers <> p.verified or c.seats_taken <> p.open + p.verified
  or c.joins_ever <> p.ever or c.closed_seats <> e.closed;
