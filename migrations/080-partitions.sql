-- Each a table of partitions, of which the old one is the first. The validated checks and the index of the two files before spare a look
-- at its rows. What is of a month that has no partition yet goes into the last one, which ends nowhere.

create function pg_temp.bound_of(conname text) returns text language sql as $$
  select substring(pg_get_constraintdef(oid) from $re$'([^']+)'$re$) from pg_constraint where conname = bound_of.conname
$$;

create function pg_temp.partition_check_ins() returns void language plpgsql as $$
declare
  bound text := pg_temp.bound_of('check_ins_in_first');
begin
  drop trigger check_ins_told on check_ins;
  alter table check_ins rename to check_ins_first;
  alter index check_ins_pkey rename to check_ins_first_pkey;
  create table check_ins (like check_ins_first including defaults including constraints,
    primary key (participation_id, day),
    foreign key (participation_id) references participations (id)) partition by range (day);
  alter table check_ins drop constraint check_ins_in_first;
  execute format('alter table check_ins attach partition check_ins_first for values from (minvalue) to (%L)', bound);
  alter table check_ins_first drop constraint check_ins_in_first;
  execute format('create table check_ins_later partition of check_ins for values from (%L) to (maxvalue)', bound);
  create trigger check_ins_told after insert on check_ins for each row execute function tell_of_check_in();
end $$;
select pg_temp.partition_check_ins();

create function pg_temp.partition_audit_log() returns void language plpgsql as $$
declare
  bound text := pg_temp.bound_of('audit_log_in_first');
begin
  alter table audit_log rename to audit_log_first;
  alter table audit_log_first drop constraint audit_log_pkey,
    add constraint audit_log_first_pkey primary key using index audit_log_first_key;
  alter index audit_log_by_time rename to audit_log_first_by_time;
  alter index audit_log_by_subject rename to audit_log_first_by_subject;
  alter index audit_log_by_action rename to audit_log_first_by_action;
  alter index audit_log_by_admin rename to audit_log_first_by_admin;
  create table audit_log (like audit_log_first including defaults including constraints,
    primary key (id, at), foreign key (admin_id) references users (id)) partition by range (at);
  alter table audit_log drop constraint audit_log_in_first;
  create index audit_log_by_time on audit_log (id desc);
  create index audit_log_by_subject on audit_log (subject_type, subject_id, id desc);
  create index audit_log_by_action on audit_log (action, id desc);
  create index audit_log_by_admin on audit_log (admin_id, id desc);
  execute format('alter table audit_log attach partition audit_log_first for values from (minvalue) to (%L)', bound);
  alter table audit_log_first drop constraint audit_log_in_first;
  execute format('create table audit_log_later partition of audit_log for values from (%L) to (maxvalue)', bound);
  -- The trigger of the table sees only what names the table; the first partition has kept its own.
  create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_change();
  create trigger audit_log_append_only before update or delete or truncate on audit_log_later
    for each statement execute function refuse_change();
end $$;
select pg_temp.partition_audit_log();

-- Of check-ins that have left, the days stay: they are what was paid for.
create table past_check_in_days (
  participation_id uuid primary key references participations (id),
  days date[] not null
);
create view all_check_ins as
  select participation_id, day, at, note, minutes, features, code from check_ins
  union all
  select p.participation_id, d.day, d.day::timestamp at time zone 'UTC', null, null, '{}', null
    from past_check_in_days p cross join lateral unnest(p.days) as d (day);
