-- The evening (7 p.m.) of a day in a time zone; in UTC it is an hour earlier or later after a clock change.
create or replace function evening_of(p_day date, p_time_zone text) returns timestamptz language sql stable as $$
  select (p_day + time '19:00') at time zone p_time_zone
$$;
