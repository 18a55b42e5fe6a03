-- How many days of a test have a check-in during an opt-in that an admin voided; they do not count.
create or replace function count_voided_days(p_participation uuid) returns int language sql stable as $$
  select count(*)::int from opt_in_runs r
    join all_check_ins k on k.participation_id = p_participation and k.run_id = r.id
      and k.day between (r.started_at - interval '2 days')::date and (r.ended_at + interval '2 days')::date
  where r.participation_id = p_participation and r.end_reason = 'VOIDED'
$$;
