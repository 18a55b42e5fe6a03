-- The double-entry ledger (product.md §4). Each transfer moves a positive amount from a debit account to a credit
-- account, so debits and credits are always equal. Only the function post_transfer writes transfers and balances.

create table accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('PROVIDER_CASH', 'CAMPAIGN_ESCROW', 'CAMPAIGN_FEE', 'PLATFORM_REVENUE',
    'TESTER_BALANCE', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_IN_TRANSIT')),
  -- The campaign or the tester; null for the platform's own accounts.
  owner_id uuid,
  -- Credits minus debits. The platform's own accounts carry none: it would be one row that every payment waits for.
  -- Their balance is the sum of their transfers.
  balance_cents bigint check (balance_cents >= 0),
  unique nulls not distinct (kind, owner_id),
  check ((owner_id is not null) = (kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE', 'TESTER_BALANCE'))),
  check ((owner_id is not null) = (balance_cents is not null))
);
insert into accounts (kind) values
  ('PROVIDER_CASH'), ('PLATFORM_REVENUE'), ('PAYOUTS_IN_TRANSIT'), ('REFUNDS_IN_TRANSIT');

create table transfers (
  id bigint generated always as identity primary key,
  -- Says what the transfer is for (`verify-pay:<participation>`) and is used once: a retry finds it and does nothing.
  business_key text not null unique,
  debit_account_id bigint not null references accounts (id),
  credit_account_id bigint not null references accounts (id),
  amount_cents bigint not null check (amount_cents > 0),
  campaign_id uuid references campaigns (id),
  at timestamptz not null,
  check (debit_account_id <> credit_account_id)
);
create index transfers_by_debit on transfers (debit_account_id) include (amount_cents);
create index transfers_credited on transfers (credit_account_id, at) include (amount_cents);
create index transfers_of_campaign on transfers (campaign_id) where campaign_id is not null;
create trigger transfers_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();

-- Money on its way in: a row for each charge of a developer.
create table payments (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  developer_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  provider text not null,
  -- The payment method that was charged.
  counterparty text not null,
  status text not null check (status in ('COMPLETED', 'FAILED')),
  failure_reason text,
  created_at timestamptz not null,
  check ((status = 'FAILED') = (failure_reason is not null))
);
create index payments_of_campaign on payments (campaign_id);
-- For the dashboards (docs/metrics.md): sums over a span of time, from the index alone.
create index payments_by_time on payments (created_at) include (amount_cents, campaign_id) where status = 'COMPLETED';
create index payments_of_developer on payments (developer_id, created_at) include (amount_cents)
  where status = 'COMPLETED';

-- Money on its way back to a developer.
create table refunds (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  developer_id uuid not null references users (id),
  -- The campaign's last payment: the money goes back to the payment method that it was charged to. Not found by time,
  -- since a refund that waited for the payment to commit bears the earlier time.
  payment_id uuid not null references payments (id),
  amount_cents bigint not null check (amount_cents > 0),
  status text not null check (status in ('PENDING', 'COMPLETED')),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'PENDING') = (settled_at is null))
);
create index refunds_of_campaign on refunds (campaign_id);
create index refunds_pending on refunds (id) where status = 'PENDING';
create index refunds_by_time on refunds (created_at) include (amount_cents, campaign_id);
create index refunds_of_developer on refunds (developer_id, created_at) include (amount_cents);

-- Money on its way out to a tester. The settings say what the least amount is.
create table withdrawals (
  id uuid primary key,
  tester_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  destination text not null,
  status text not null check (status in ('PENDING', 'COMPLETED', 'FAILED')),
  failure_reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'PENDING') = (settled_at is null)),
  check ((status = 'FAILED') = (failure_reason is not null))
);
create index withdrawals_of_tester on withdrawals (tester_id, id desc);
create index withdrawals_pending on withdrawals (tester_id) include (amount_cents) where status = 'PENDING';
create index withdrawals_by_age on withdrawals (created_at);

-- The lines of a user's statement (spec §3).
create table transactions (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  user_id uuid not null references users (id),
  type text not null check (type in ('CREDIT', 'DEBIT', 'PAYOUT', 'FEE')),
  status text not null check (status in ('COMPLETED', 'PENDING', 'FAILED', 'REFUNDED')),
  amount_cents bigint not null check (amount_cents > 0),
  description text not null,
  campaign_id uuid references campaigns (id),
  -- The payment, refund or withdrawal whose outcome decides the status.
  source_id uuid,
  created_at timestamptz not null
);
create index transactions_of_user on transactions (user_id, seq desc);
-- A statement filtered by type or by campaign; its totals come from the first of the two alone.
create index transactions_of_user_by_type on transactions (user_id, type, seq desc) include (status, amount_cents);
create index transactions_of_user_by_campaign on transactions (user_id, campaign_id, seq desc);
create index transactions_pending on transactions (source_id) where status = 'PENDING';
-- The lines of one payment, for its receipt.
create index transactions_by_source on transactions (source_id) where source_id is not null;

-- What the sandbox provider remembers, by the id of the request: asked twice, it acts once.
create table sandbox_movements (
  request_id uuid primary key,
  kind text not null check (kind in ('CHARGE', 'PAYOUT', 'REFUND')),
  amount_cents bigint not null check (amount_cents > 0),
  counterparty text not null,
  decline_reason text,
  at timestamptz not null
);
