-- When p_hours have passed since p_since without counting downtimes, as deadlines require (`hoursAfterDowntimes` of
-- src/kit/downtimes.ts).
create or replace function after_downtimes(p_since timestamptz, p_hours numeric) returns timestamptz stable language plpgsql as $$
declare
  reached timestamptz := p_since;
  seconds_left numeric := p_hours * 3600;
  stop record;
begin
  for stop in
    select lower(span) as started_at, upper(span) as ended_at
    from unnest((select range_agg(tstzrange(started_at, ended_at)) from stoppages where until > p_since)) span order by 1
  loop
    exit when reached + make_interval(secs => seconds_left::float8) <= stop.started_at;
    if stop.started_at > reached then
      seconds_left := seconds_left - extract(epoch from stop.started_at - reached);
    end if;
    reached := stop.ended_at;
  end loop;
  return reached + make_interval(secs => seconds_left::float8);
end $$;
