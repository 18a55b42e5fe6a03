-- A participation's number of days and last day agree with its check-ins, including those past their retention period, and the
-- opt-in that a check-in names is the participation's own.
select p.id, p.check_in_count, count(i.day) as check_ins, p.last_check_in_day, max(i.day) as last_day,
  count(i.run_id) - count(r.id) as foreign_runs
from participations p left join all_check_ins i on i.participation_id = p.id
  left join opt_in_runs r on r.id = i.run_id and r.participation_id = p.id
group by p.id
having p.check_in_count <> count(i.day) or p.last_check_in_day is distinct from max(i.day) or count(i.run_id) <> count(r.id);
