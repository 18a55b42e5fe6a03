-- The counters of a campaign's bench equal the counts of its entries, and nobody is on a campaign's bench and in the campaign.
select c.id, c.bench_testers, c.offered_seats, e.entries, e.offered, e.inside
from campaigns c
cross join lateral (
  select count(*) as entries, count(*) filter (where offered_at is not null) as offered,
    count(*) filter (where exists (select from participations p
      where p.campaign_id = c.id and p.tester_id = bench_entries.tester_id)) as inside
  from bench_entries where campaign_id = c.id
) e
where c.bench_testers <> e.entries or c.offered_seats <> e.offered or e.inside > 0
  or (e.entries > 0 and c.status not in ('LIVE', 'PAUSED'));
