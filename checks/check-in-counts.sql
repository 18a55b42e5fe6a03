-- What a participation says of its days – how many, and the last one – is what its check-ins say, those that have left included.
select p.id, p.check_in_count, count(i.day) as check_ins, p.last_check_in_day, max(i.day) as last_day
from participations p left join all_check_ins i on i.participation_id = p.id
group by p.id
having p.check_in_count <> count(i.day) or p.last_check_in_day is distinct from max(i.day);
