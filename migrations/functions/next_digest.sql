-- The first morning (8 a.m.) in a time zone after this moment; for a weekly digest, the first Monday's.
create or replace function next_digest(p_period text, p_time_zone text, p_now timestamptz) returns timestamptz
language sql stable as $$
  select min(morning) from (
    select (day + time '08:00') at time zone p_time_zone as morning
    from (select (p_now at time zone p_time_zone)::date + later as day from generate_series(0, 8) later) days
    where p_period = 'DAILY' or extract(isodow from day) = 1) mornings
  where morning > p_now
$$;
