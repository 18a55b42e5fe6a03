-- The next evening in which a check-in would be missing: today's, unless there was one today, or the tester has just begun.
create or replace function next_reminder(p participations, p_begun_at timestamptz) returns timestamptz language plpgsql stable as $$
declare
  today date := (p_begun_at at time zone p.time_zone)::date;
begin
  if p.last_check_in_day >= today or p_begun_at + interval '3 hours' > evening_of(today, p.time_zone) then
    return evening_of(greatest(today, p.last_check_in_day) + 1, p.time_zone);
  end if;
  return evening_of(today, p.time_zone);
end $$;
