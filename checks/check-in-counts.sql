-- The number of days a tester checked in is the number of check-ins.
select p.id, p.check_in_count, count(i.day) as check_ins
from participations p left join check_ins i on i.participation_id = p.id
group by p.id having p.check_in_count <> count(i.day);
