-- The days that the tester of a cancelled campaign is paid for (`daysDone` of src/participations/rules.ts): the days with a
-- check-in; without daily check-ins, the whole 24 hours since the test began or, if testers opt in, of all the time that they
-- were opted in. Opt-ins that an admin voided do not count. Never more than the campaign's days.
create or replace function days_tested(c campaigns, p participations, p_now timestamptz)
  returns int language sql stable as $$
  select least(c.duration_days, case
    when c.daily_check_in then p.check_in_count - count_voided_days(p.id)
    when c.access_mode = 'OPEN_LINK' then greatest(floor(extract(epoch from p_now - begun_at(p)) / 86400), 0)
    else (select floor(coalesce(sum(greatest(extract(epoch from coalesce(ended_at, p_now) - started_at), 0)), 0) / 86400)
      from opt_in_runs where participation_id = p.id and end_reason is distinct from 'VOIDED') end)::int
$$;
