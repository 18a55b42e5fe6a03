-- Fraud (product.md §6): what scans look at, what they found, and what admins decided.

-- Who was seen on which device, by signing in or by joining a campaign.
create view device_uses as
  select device_fingerprint as device, user_id, created_at as at from sessions where device_fingerprint <> ''
  union all
  select device_fingerprint, tester_id, joined_at from participations where device_fingerprint <> '';

create table fraud_scans (
  id uuid primary key,
  state text not null check (state in ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
  -- Null for the nightly scan.
  requested_by uuid references users (id),
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  found int,
  check ((state in ('DONE', 'FAILED')) = (finished_at is not null)),
  check ((state = 'QUEUED') <= (started_at is null)),
  check ((state = 'DONE') <= (found is not null and started_at is not null))
);
-- One scan at a time: asking for another while one is under way gives that one.
create unique index fraud_scans_under_way on fraud_scans ((true)) where state in ('QUEUED', 'RUNNING');

-- Up to when a detector has looked at everything: the next scan looks at what is newer.
create table fraud_detectors (
  name text primary key,
  looked_until timestamptz not null
);

-- The texts in a report's facts that an admin may look for. A control character stands between them, so that no search
-- matches the end of one and the start of another.
create function words_in_facts(p_facts jsonb) returns text immutable language sql as $$
  select lower(coalesce(string_agg(distinct found #>> '{}', chr(31)), '')) from (
    select jsonb_path_query(p_facts, '$.**.title')
    union all select jsonb_path_query(p_facts, '$.**.device')
    union all select jsonb_path_query(p_facts, '$.text')
  ) texts (found)
$$;

create table fraud_reports (
  id uuid primary key,
  user_id uuid not null references users (id),
  status text not null check (status in ('OPEN', 'RESOLVED', 'DISMISSED')),
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  -- What the server words as reason, details and evidence whenever the report is shown. People and campaigns stand in the
  -- facts by their ids, and get their names then.
  kind text not null check (kind in ('SHARED_DEVICE', 'SELF_TEST', 'SAME_PROOF', 'EARLY_WITHDRAWAL')),
  facts jsonb not null,
  -- For the search.
  fact_words text not null generated always as (words_in_facts(facts)) stored,
  -- What it is about (`shared-device:<device>`); null for samples.
  finding_key text,
  is_sample boolean not null,
  created_at timestamptz not null,
  -- How it was resolved, or why it was dismissed.
  resolution text,
  decided_by uuid references users (id),
  decided_at timestamptz,
  archived_at timestamptz,
  check ((status = 'OPEN') = (decided_at is null)),
  check ((decided_at is null) = (resolution is null) and (decided_at is null) = (decided_by is null)),
  check (is_sample = (finding_key is null))
);
create index fraud_reports_listed on fraud_reports (id desc) where archived_at is null;
create index fraud_reports_by_severity on fraud_reports (severity, id desc) where archived_at is null;
create index fraud_reports_by_status on fraud_reports (status, id desc) where archived_at is null;
create index fraud_reports_counted on fraud_reports (severity, status, is_sample) where archived_at is null;
create index fraud_reports_of_user on fraud_reports (user_id, id desc);
create index fraud_reports_search on fraud_reports using gin (fact_words gin_trgm_ops);

create function refuse_report_deletion() returns trigger language plpgsql as $$
begin
  if old.is_sample then return old; end if;
  raise exception 'a fraud report is archived, never deleted' using errcode = '0A000';
end $$;
create trigger fraud_reports_kept before delete on fraud_reports for each row execute function refuse_report_deletion();

-- Every part of a finding that was reported: a scan reports the finding again only when it has a new part.
create table fraud_finding_parts (
  finding_key text not null,
  part text not null,
  report_id uuid not null references fraud_reports (id),
  primary key (finding_key, part)
);
