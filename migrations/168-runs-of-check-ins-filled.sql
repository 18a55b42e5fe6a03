-- no transaction
-- Of check-ins from before there was a run in them, their times tell it.
update check_ins k set run_id = (select max(id) from opt_in_runs r where r.participation_id = k.participation_id and k.at between r.started_at and coalesce(r.ended_at, 'infinity')) where (participation_id, day) in (select c.participation_id, c.day from check_ins c join opt_in_runs r on r.participation_id = c.participation_id and c.at between r.started_at and coalesce(r.ended_at, 'infinity') where c.run_id is null limit 1000);
