-- The next evening on which a check-in would be missing: today's, unless there was one today that counts, or the tester has only
-- just begun.
create or replace function next_reminder(p participations, p_begun_at timestamptz) returns timestamptz language plpgsql stable as $$
declare
  today date := (p_begun_at at time zone p.time_zone)::date;
  last_day date := case when p.opted_out_at is null then p.last_check_in_day
    else last_day_counted(p.id, p.joined_at, p.last_check_in_day) end;
begin
  if last_day >= today or p_begun_at + interval '3 hours' > evening_of(today, p.time_zone) then
    return evening_of(greatest(today, last_day) + 1, p.time_zone);
  end if;
  return evening_of(today, p.time_zone);
end $$;
