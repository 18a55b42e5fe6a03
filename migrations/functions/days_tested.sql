-- The days that the tester of a cancelled campaign is paid for (`daysDone` of src/participations/rules.ts): the days
-- checked in; where no daily check-in is asked for, the whole 24 hours since the test has begun, or, where testers opt in, of
-- all the time they were opted in together; nothing of opt-ins that an admin decided never were. At most the campaign's.
create or replace function days_tested(c campaigns, p participations, p_now timestamptz)
  returns int language sql stable as $$
  select least(c.duration_days, case
    when c.daily_check_in then p.check_in_count - count_voided_days(p.id)
    when c.access_mode = 'OPEN_LINK' then greatest(floor(extract(epoch from p_now - begun_at(p)) / 86400), 0)
    else (select floor(coalesce(sum(greatest(extract(epoch from coalesce(ended_at, p_now) - started_at), 0)), 0) / 86400)
      from opt_in_runs where participation_id = p.id and end_reason is distinct from 'VOIDED') end)::int
$$;
