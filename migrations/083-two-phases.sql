-- Money that is on its way is pending until the provider's answer posts or voids it (docs/money.md).
alter table accounts drop constraint accounts_kind_check;
alter table accounts add constraint accounts_kind_check check (kind in ('PROVIDER_CASH', 'CAMPAIGN_ESCROW', 'CAMPAIGN_FEE',
  'PLATFORM_REVENUE', 'TESTER_BALANCE', 'PAYMENTS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_OWED', 'REFUNDS_IN_TRANSIT',
  'DISPUTES_RECEIVABLE', 'PROVIDER_FEES')) not valid;
insert into accounts (kind) values ('PAYMENTS_IN_TRANSIT'), ('REFUNDS_OWED'), ('DISPUTES_RECEIVABLE'), ('PROVIDER_FEES');

-- A PENDING transfer is resolved by one POST or VOID of the same amount, which takes the money from where the pending one put
-- it: a POST to where it is meant to go, a VOID to where it came from.
alter table transfers add column phase text not null default 'SINGLE';
alter table transfers add column pending_id bigint;
alter table transfers add constraint transfers_phase_check check (phase in ('SINGLE', 'PENDING', 'POST', 'VOID')) not valid;
alter table transfers add constraint transfers_resolve_check check ((phase in ('POST', 'VOID')) = (pending_id is not null)) not valid;
alter table transfers add constraint transfers_pending_id_fkey foreign key (pending_id) references transfers (id) not valid;

-- What a provider is asked to charge. One that is paid, or refused, becomes a payment with its id.
create table charges (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  developer_id uuid not null references users (id),
  pay_cents bigint not null check (pay_cents >= 0),
  fee_cents bigint not null check (fee_cents >= 0),
  provider text not null,
  -- The payment method that is charged.
  counterparty text not null,
  -- CANCELLED: ended before anything was paid. RETURNED: paid after its end; all of it goes back.
  status text not null check (status in ('PENDING', 'COMPLETED', 'FAILED', 'CANCELLED', 'RETURNED')),
  -- The campaign no longer wants it: it was edited, cancelled or paid anew, or its owner's account was deleted.
  ended_at timestamptz,
  -- Where the developer pays, when the provider has a page for it.
  checkout_url text,
  -- A sentence.
  failure_reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  check (pay_cents + fee_cents > 0),
  check ((status = 'PENDING') = (settled_at is null)),
  check ((status = 'FAILED') = (failure_reason is not null))
);
-- A campaign waits for one charge at most.
create unique index charges_wanted on charges (campaign_id) where status = 'PENDING' and ended_at is null;
create index charges_of_campaign on charges (campaign_id, id);
create index charges_of_developer on charges (developer_id) where status = 'PENDING';
create index charges_pending on charges (id) include (pay_cents, fee_cents, created_at) where status = 'PENDING';

-- One attempt at the provider for a charge, a withdrawal or a part of a refund, recorded before it is made. Whatever is asked is
-- asked under `key`, which the provider carries out once; an attempt that was refused is followed by one with another key.
create table provider_calls (
  id uuid primary key,
  seq bigint generated always as identity,
  provider text not null,
  kind text not null check (kind in ('CHARGE', 'PAYOUT', 'REFUND')),
  -- The charge, the withdrawal or the part of a refund.
  subject_id uuid not null,
  attempt int not null check (attempt > 0),
  key text not null unique,
  status text not null check (status in ('PENDING', 'DONE', 'REFUSED')),
  -- When it was first sent; null while nobody has.
  sent_at timestamptz,
  sends int not null default 0,
  -- The provider's own id of it.
  reference text,
  -- Why it was refused, as a sentence.
  reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (subject_id, attempt),
  check ((status = 'PENDING') = (settled_at is null)),
  check ((status = 'REFUSED') = (reason is not null))
);
create unique index provider_calls_open on provider_calls (subject_id) where status = 'PENDING';
create index provider_calls_pending on provider_calls (created_at, id) where status = 'PENDING';
create index provider_calls_by_reference on provider_calls (reference) where reference is not null;

-- What a provider tells of by itself: kept as it came, worked off by a job, each once.
create table provider_events (
  id bigint generated always as identity primary key,
  provider text not null,
  -- The provider's.
  event_id text not null,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null,
  due_at timestamptz not null,
  processed_at timestamptz,
  tries int not null default 0,
  -- Why the last try failed.
  error text,
  unique (provider, event_id)
);
create index provider_events_due on provider_events (due_at, id) where processed_at is null;

-- What the provider kept of it for itself.
alter table payments add column provider_fee_cents bigint not null default 0;

-- Paid out, and then returned by whoever holds the destination.
alter table withdrawals add column returned_at timestamptz;

-- Charges are recorded before they are made: nothing has to find them again by their terms.
drop function if exists charge_key(uuid, bigint, bigint);

-- Parts of refunds that wait: what is owed goes into transit with each call.
select set_config('fieldtest.posting', 'on', true);
insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, at)
  select 'refund-owed:' || part.id, transit.id, owed.id, part.amount_cents, r.campaign_id, r.created_at
  from refund_parts part join refunds r on r.id = part.refund_id
    join accounts transit on transit.kind = 'REFUNDS_IN_TRANSIT' join accounts owed on owed.kind = 'REFUNDS_OWED'
  where part.status = 'PENDING'
  on conflict (business_key) do nothing;
