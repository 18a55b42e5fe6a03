-- The evening (7 p.m.) of a day in a time zone; it is an hour earlier or later in UTC when the clocks have changed.
create or replace function evening_of(p_day date, p_time_zone text) returns timestamptz language sql stable as $$
  select (p_day + time '19:00') at time zone p_time_zone
$$;
