-- The double-entry ledger (product.md §4). Each transfer moves a positive amount from a debit account to a credit
-- account, so the books balance by construction. `post_transfer` is the only writer.

create table accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('PROVIDER_CASH', 'CAMPAIGN_ESCROW', 'CAMPAIGN_FEE', 'PLATFORM_REVENUE',
    'TESTER_BALANCE', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_IN_TRANSIT')),
  -- The campaign or the tester; null for the platform's own.
  owner_id uuid,
  -- Credits minus debits. Only accounts of a user or a campaign carry it: the platform's own would be one row that
  -- every payment waits for, and their balance is the sum of their transfers.
  balance_cents bigint check (balance_cents >= 0),
  unique nulls not distinct (kind, owner_id),
  check ((owner_id is not null) = (kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE', 'TESTER_BALANCE'))),
  check ((owner_id is not null) = (balance_cents is not null))
);
insert into accounts (kind) values
  ('PROVIDER_CASH'), ('PLATFORM_REVENUE'), ('PAYOUTS_IN_TRANSIT'), ('REFUNDS_IN_TRANSIT');

-- Money on its way in: one row a funding, written before any provider is asked.
create table payments (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  developer_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  provider text not null,
  status text not null check (status in ('COMPLETED', 'FAILED')),
  failure_reason text,
  created_at timestamptz not null,
  check ((status = 'FAILED') = (failure_reason is not null))
);
create index payments_of_campaign on payments (campaign_id);

-- Money on its way back to a developer.
create table refunds (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  developer_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  status text not null check (status in ('PENDING', 'COMPLETED')),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'PENDING') = (settled_at is null))
);
create index refunds_of_campaign on refunds (campaign_id);
create index refunds_pending on refunds (id) where status = 'PENDING';

-- Money on its way out to a tester.
create table withdrawals (
  id uuid primary key,
  tester_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents >= 1000),
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

create table transfers (
  id bigint generated always as identity primary key,
  -- Says what the transfer is for (`verify-pay:<participation>`), once and for all: a retry finds it and does nothing.
  business_key text not null unique,
  debit_account_id bigint not null references accounts (id),
  credit_account_id bigint not null references accounts (id),
  amount_cents bigint not null check (amount_cents > 0),
  campaign_id uuid references campaigns (id),
  at timestamptz not null,
  check (debit_account_id <> credit_account_id)
);
create index transfers_by_debit on transfers (debit_account_id) include (amount_cents);
create index transfers_by_credit on transfers (credit_account_id) include (amount_cents);
create index transfers_of_campaign on transfers (campaign_id) where campaign_id is not null;
create trigger transfers_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();

-- What a user sees of it (spec §3): a statement's lines.
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
create index transactions_pending on transactions (source_id) where status = 'PENDING';

-- Same key and body, same answer; same key and another body, 422 (product.md §4).
create table idempotency_keys (
  user_id uuid not null references users (id),
  key text not null,
  request_hash bytea not null,
  -- What the request acted on or made, for an answer that was not stored before a crash.
  subject_id uuid not null,
  reply jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What the sandbox provider remembers of what it was asked, by its own idempotency key: asked twice, it acts once.
create table sandbox_movements (
  request_id uuid primary key,
  kind text not null check (kind in ('CHARGE', 'PAYOUT', 'REFUND')),
  amount_cents bigint not null check (amount_cents > 0),
  counterparty text not null,
  decline_reason text,
  at timestamptz not null
);

create function account_of(p_kind text, p_owner uuid) returns bigint language plpgsql as $$
declare found_id bigint;
begin
  select id into found_id from accounts where kind = p_kind and owner_id is not distinct from p_owner;
  if found_id is null then
    insert into accounts (kind, owner_id, balance_cents) values (p_kind, p_owner, 0)
      on conflict (kind, owner_id) do nothing;
    select id into strict found_id from accounts where kind = p_kind and owner_id is not distinct from p_owner;
  end if;
  return found_id;
end $$;

-- Moves p_amount from one account to another, once for each business key. Nothing to move is no transfer.
-- A balance that would fall below zero violates its CHECK (23514) and undoes the whole transaction.
create function post_transfer(p_key text, p_debit bigint, p_credit bigint, p_amount bigint, p_campaign uuid,
  p_now timestamptz) returns void language plpgsql as $$
declare earlier transfers;
begin
  if p_amount = 0 then return; end if;
  insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, at)
    values (p_key, p_debit, p_credit, p_amount, p_campaign, p_now) on conflict (business_key) do nothing;
  if not found then
    select * into strict earlier from transfers where business_key = p_key;
    if (earlier.debit_account_id, earlier.credit_account_id, earlier.amount_cents) is distinct from
       (p_debit, p_credit, p_amount) then
      raise exception 'transfer % was posted before with other terms', p_key;
    end if;
    return;
  end if;
  update accounts set balance_cents = balance_cents - p_amount where id = p_debit and balance_cents is not null;
  update accounts set balance_cents = balance_cents + p_amount where id = p_credit and balance_cents is not null;
end $$;
