-- An appeal is open exactly as long as its test says so. If it was granted, the test is verified; if the rejection was upheld,
-- the test is rejected for good. A rejection that is not final yet becomes due 72 hours after it was made, not counting
-- downtimes.
select p.id, p.status, p.closed_at, p.wake_at, a.outcome
from participations p left join appeals a on a.participation_id = p.id
where (p.status = 'APPEALED') <> (a.participation_id is not null and a.outcome is null)
  or (a.outcome in ('VERIFIED', 'PLATFORM') and p.status <> 'VERIFIED')
  or (a.outcome = 'UPHELD' and (p.status <> 'REJECTED' or p.closed_at is null))
  or (p.status = 'REJECTED' and p.closed_at is null and p.wake_at <> p.reviewed_at + interval '72 hours'
    -- Deadlines that a downtime moves are all moved at once, after its end.
    and p.wake_at <> after_downtimes(p.reviewed_at, 72) and not exists (select from downtimes where settled_at is null));
