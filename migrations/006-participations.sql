-- Participations (product.md §3): a tester's way through a campaign.

-- Equal for texts that differ only in case and white space; null for what is too short to be anybody's own words
-- (`shortestProof` of src/fraud/rules.ts). Stored rows hold its results: a new body needs a numbered migration that
-- computes them again.
create function proof_key(p_text text) returns text immutable language sql as $$
  select case when length(words) >= 20 then md5(words) end
  from (select lower(regexp_replace(btrim(p_text, E' \t\r\n'), '\s+', ' ', 'g')) as words) normal
$$;

create table participations (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  tester_id uuid not null references users (id),
  -- 1 for the first who ever joined the campaign; the developer sees "Tester 1" and never a name.
  ordinal int not null,
  status text not null check (status in
    ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'VERIFIED', 'REJECTED', 'DROPPED', 'CANCELLED')),
  device_platform text,
  device_os_version text,
  device_model text not null,
  device_manufacturer text,
  device_fingerprint text,
  time_zone text not null,
  joined_at timestamptz not null,
  proof_allowed_at timestamptz not null,
  -- The last sign of life: joining, a check-in, or being asked for changes.
  last_seen_at timestamptz not null,
  check_in_count int not null default 0,
  -- The day of the newest check-in, kept here so that whoever waited for this row's lock sees it.
  last_check_in_day date,
  at_risk boolean not null default false,
  -- Whoever is late with the proof is warned once before the seat is lost.
  proof_warned boolean not null default false,
  proof_text text,
  proof_key text generated always as (proof_key(proof_text)) stored,
  proof_links text[] not null default '{}',
  proof_submitted_at timestamptz,
  review_note text,
  rejection_code text check (rejection_code in ('NO_EVIDENCE_OF_TESTING', 'WRONG_APP_OR_VERSION',
    'INSTRUCTIONS_NOT_FOLLOWED', 'COPIED_OR_GENERATED', 'DEVICE_MISMATCH', 'OTHER')),
  rejection_reason text,
  reviewed_at timestamptz,
  reviewed_by uuid references users (id),
  drop_reason text check (drop_reason in ('LEFT', 'NO_CHECK_IN', 'NO_PROOF', 'SUSPENDED')),
  payout_amount_cents bigint not null check (payout_amount_cents >= 0),
  closed_at timestamptz,
  -- When the clock has to look at it next: to warn, to drop, or to verify for want of a review.
  wake_at timestamptz,
  unique (campaign_id, tester_id),
  unique (campaign_id, ordinal),
  check ((status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED')) = (closed_at is null)),
  check ((closed_at is null) = (wake_at is not null)),
  check ((status = 'DROPPED') = (drop_reason is not null)),
  check ((status = 'REJECTED') = (rejection_code is not null and rejection_reason is not null))
);
create index participations_of_tester on participations (tester_id, id desc);
create index participations_campaigns_of_tester on participations (tester_id, campaign_id desc);
-- Who is verified (docs/metrics.md) is asked for every line of the admins' list of users.
create index participations_verified_of_tester on participations (tester_id) where status = 'VERIFIED';
create index participations_to_wake on participations (wake_at) where wake_at is not null;
create index participations_by_join on participations (joined_at) include (campaign_id, status, closed_at);
create index participations_by_device on participations (device_fingerprint, tester_id, joined_at)
  where device_fingerprint <> '';
create index participations_with_device_by_age on participations (joined_at) include (device_fingerprint)
  where device_fingerprint <> '';
create index participations_by_proof on participations (proof_key, tester_id) where proof_key is not null;
create index participations_by_proof_age on participations (proof_submitted_at) include (proof_key)
  where proof_key is not null;

-- One for each calendar day in the tester's time zone; the server says which day it is.
create table check_ins (
  participation_id uuid not null references participations (id),
  day date not null,
  at timestamptz not null,
  note text,
  primary key (participation_id, day)
);
