-- In which opt-in a check-in was made. Times do not tell, since servers' clocks differ. Null where testers do not opt in, and for
-- check-ins from before unless their opt-in was voided: voiding one names it in them. Triggers, so that servers of the last release do it, too.
alter table check_ins add column run_id bigint;

create function name_run_of_check_in() returns trigger language plpgsql as $$
begin
  select id into new.run_id from opt_in_runs where participation_id = new.participation_id and ended_at is null;
  return new;
end $$;
create trigger check_ins_in_their_run before insert on check_ins for each row execute function name_run_of_check_in();

create function name_voided_run() returns trigger language plpgsql as $$
begin
  update check_ins set run_id = new.id
    where participation_id = new.participation_id and run_id is null and at between new.started_at and new.ended_at;
  return null;
end $$;
create trigger opt_in_runs_voided_are_named after update on opt_in_runs for each row
  when (new.end_reason = 'VOIDED' and old.end_reason is distinct from 'VOIDED') execute function name_voided_run();

-- Beside the days; shorter, and empty, for what was kept before.
alter table past_check_in_days add column run_ids bigint[] not null default '{}';

create or replace view all_check_ins as
  select participation_id, day, at, note, minutes, features, code, run_id from check_ins
  union all
  select p.participation_id, d.day, d.day::timestamp at time zone 'UTC', null, null, '{}', null, d.run_id
    from past_check_in_days p cross join lateral unnest(p.days, p.run_ids) as d (day, run_id);
