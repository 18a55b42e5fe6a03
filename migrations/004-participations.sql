-- Participations (product.md §3): a tester's way through a campaign.

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
  -- Of the newest check-in, on this row so that whoever waited for its lock sees it.
  last_check_in_day date,
  at_risk boolean not null default false,
  proof_text text,
  proof_links text[] not null default '{}',
  proof_submitted_at timestamptz,
  review_note text,
  rejection_code text check (rejection_code in ('NO_EVIDENCE_OF_TESTING', 'WRONG_APP_OR_VERSION',
    'INSTRUCTIONS_NOT_FOLLOWED', 'COPIED_OR_GENERATED', 'DEVICE_MISMATCH', 'OTHER')),
  rejection_reason text,
  reviewed_at timestamptz,
  reviewed_by uuid references users (id),
  drop_reason text check (drop_reason in ('LEFT', 'NO_CHECK_IN', 'NO_PROOF')),
  payout_amount_cents bigint not null check (payout_amount_cents >= 0),
  closed_at timestamptz,
  -- When the clock has to look at it next: at risk, dropped, or verified by silence.
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
create index participations_to_wake on participations (wake_at) where wake_at is not null;

-- One a calendar day in the tester's time zone, stamped by the server.
create table check_ins (
  participation_id uuid not null references participations (id),
  day date not null,
  at timestamptz not null,
  note text,
  primary key (participation_id, day)
);
