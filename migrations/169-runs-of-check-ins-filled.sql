-- no transaction
-- Of check-ins from before, those of voided opt-ins: their times tell them.
update check_ins k set run_id = (select max(r.id) from opt_in_runs r where r.participation_id = k.participation_id and r.end_reason = 'VOIDED' and k.at between r.started_at and r.ended_at) where (participation_id, day) in (select c.participation_id, c.day from opt_in_runs r join check_ins c on c.participation_id = r.participation_id and c.at between r.started_at and r.ended_at where r.end_reason = 'VOIDED' and c.run_id is null limit 1000);
