-- Check-ins and the audit log in partitions of months (decision 050): the tables of today become the first partitions, without
-- a row being copied. First they promise that all of their rows, and those to come in the meantime, are of its time.

-- What has left a partitioned table, or is about to.
create table past_partitions (
  name text primary key,
  parent text not null,
  -- Days in UTC, the second one excluded; the first partition has no beginning.
  from_day date,
  until_day date not null,
  leaving_since timestamptz not null,
  -- Null while it is on its way out: a job that died goes on from there.
  gone_at timestamptz,
  row_count bigint,
  -- Of what was archived: the name of the file, and the SHA-256 of its bytes.
  archive text,
  sha256 bytea check (length(sha256) = 32),
  check ((archive is null) = (sha256 is null))
);
create index past_partitions_of on past_partitions (parent, until_day);

-- The month after the next begins after everything that is written until the next file has been applied.
create function pg_temp.promise_bound(tab text, key text) returns void language plpgsql as $$
declare
  newest timestamptz;
  bound timestamp;
begin
  execute format('select max(%I) from %I', key, tab) into newest;
  bound := date_trunc('month', greatest(newest, now()) at time zone 'UTC') + interval '2 months';
  execute format('alter table %I add constraint %I check (%I < %L) not valid', tab, tab || '_in_first', key,
    case key when 'day' then bound::date::text else bound::text || '+00' end);
end $$;
select pg_temp.promise_bound('check_ins', 'day');
select pg_temp.promise_bound('audit_log', 'at');
