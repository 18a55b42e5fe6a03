-- Campaigns (product.md §2).

create table campaigns (
  id uuid primary key,
  developer_id uuid not null references users (id),
  title text not null,
  description text not null,
  platform text not null check (platform in ('android', 'ios')),
  distribution_link text not null,
  testers_required int not null check (testers_required between 1 and 100),
  pay_per_tester_cents bigint not null check (pay_per_tester_cents between 100 and 1000000),
  duration_days int not null check (duration_days between 1 and 90),
  daily_check_in boolean not null,
  -- As the developer wrote them …
  countries text[] not null,
  min_android_version text,
  min_ios_version text,
  -- … and as they are compared with a tester's profile.
  country_codes text[] not null,
  status text not null check (status in
    ('DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'LIVE', 'PAUSED', 'COMPLETED', 'CANCELLED')),
  -- A statement that changes the status says here when. The trigger that records the change (007) refuses one that does
  -- not, and clears the column, so that it is null in every stored row.
  status_changed_at timestamptz check (status_changed_at is null),
  -- The settings at creation, and the fee that follows: a later change of the settings leaves this campaign alone.
  fee_basis_points int not null check (fee_basis_points between 0 and 10000),
  quoted_fee_cents bigint not null check (quoted_fee_cents >= 0),
  review_hours int not null default 72,
  at_risk_hours int not null default 48,
  drop_hours int not null default 72,
  -- What was really paid in, net of refunds.
  funded_cents bigint not null default 0 check (funded_cents >= 0),
  fee_cents bigint not null default 0 check (fee_cents >= 0),
  -- Kept by the statements that take and give back seats, so that no list counts.
  seats_taken int not null default 0 check (seats_taken between 0 and testers_required),
  open_testers int not null default 0 check (open_testers between 0 and seats_taken),
  verified_testers int not null default 0 check (verified_testers between 0 and seats_taken),
  joins_ever int not null default 0,
  start_date timestamptz,
  end_date timestamptz,
  submitted_at timestamptz,
  rejection_reason text,
  created_at timestamptz not null,
  closed_at timestamptz,
  -- A control character stands between the two, so that no search matches the end of one and the start of the other.
  search_text text not null generated always as (lower(title || chr(31) || description)) stored,
  check ((status = 'REJECTED') = (rejection_reason is not null)),
  check (status not in ('LIVE', 'PAUSED', 'COMPLETED') or (start_date is not null and end_date is not null))
);
create index campaigns_of_developer on campaigns (developer_id, id desc);
create index campaigns_by_status on campaigns (status, id desc);
create index campaigns_available on campaigns (id desc) where status = 'LIVE' and seats_taken < testers_required;
create index campaigns_pending on campaigns (submitted_at, id) where status = 'PENDING_APPROVAL';
create index campaigns_search on campaigns using gin (search_text gin_trgm_ops);
-- The two ways in which the clock completes a campaign: its end has passed, or every seat is verified.
create index campaigns_ending on campaigns (end_date) where status in ('LIVE', 'PAUSED') and open_testers = 0;
create index campaigns_all_verified on campaigns (id)
  where status in ('LIVE', 'PAUSED') and open_testers = 0 and verified_testers = testers_required;
-- For the dashboards (docs/metrics.md).
create index campaigns_by_creation on campaigns (created_at);
create index campaigns_by_revenue on campaigns ((funded_cents + fee_cents) desc, id desc)
  where funded_cents + fee_cents > 0;
