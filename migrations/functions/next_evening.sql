-- The first evening in a time zone after this moment.
create or replace function next_evening(p_time_zone text, p_now timestamptz) returns timestamptz language plpgsql stable as $$
declare
  today date := (p_now at time zone p_time_zone)::date;
  evening timestamptz := evening_of(today, p_time_zone);
begin
  return case when evening > p_now then evening else evening_of(today + 1, p_time_zone) end;
end $$;
