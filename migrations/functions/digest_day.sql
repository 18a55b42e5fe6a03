-- The day or week that a digest at this moment covers.
create or replace function digest_day(p_period text, p_time_zone text, p_now timestamptz) returns date
language sql stable as $$
  select date_trunc(case p_period when 'WEEKLY' then 'week' else 'day' end, p_now at time zone p_time_zone)::date
$$;
