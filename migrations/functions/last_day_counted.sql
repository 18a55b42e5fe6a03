-- The last day of a test with a check-in that counts (`checkInsThatCount` of src/participations/rules.ts), that is, outside
-- opt-ins that an admin voided. p_last_day is the last day of all its check-ins.
create or replace function last_day_counted(p_participation uuid, p_joined_at timestamptz, p_last_day date)
  returns date language sql stable as $$
  select max(k.day) from check_ins k
  where k.participation_id = p_participation and k.day between (p_joined_at - interval '2 days')::date and p_last_day
    and not exists (select from opt_in_runs r where r.id = k.run_id and r.end_reason = 'VOIDED')
$$;
