-- A rejection waits for consent only while its proof is in review.
select r.seq, p.id, p.status from rejection_requests r join participations p on p.id = r.participation_id
where r.outcome is null and p.status <> 'SUBMITTED';
