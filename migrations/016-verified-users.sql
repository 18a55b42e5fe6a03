-- Who is verified (docs/metrics.md) is asked for every line of the admins' list of users: for testers, from this index alone.
create index participations_verified_of_tester on participations (tester_id) where status = 'VERIFIED';
