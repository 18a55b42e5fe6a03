-- What becomes of what Stripe did before a restore, and is known to nobody here: banks dispute it, or send refunds back.

-- Of a charge: since when what was given back of it is back.
alter table lost_movements add column returned_at timestamptz;

-- A lost refund that came back after it had been taken off a refund here: so much of it is owed again. Paid, it is a lost refund again.
create table lost_returns (
  id uuid primary key,
  payment_id uuid not null references payments (id),
  amount_cents bigint not null check (amount_cents > 0),
  at timestamptz not null,
  refund_key text not null,
  returned_at timestamptz not null,
  -- When it was first asked for under this key.
  sent_at timestamptz
);
create index lost_returns_of_payment on lost_returns (payment_id);

-- A dispute of a lost charge.
create table lost_disputes (
  id uuid primary key,
  provider text not null,
  -- The provider's own id of it.
  reference text not null,
  charge_id uuid not null references lost_movements (id),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  status text not null check (status in ('OPEN', 'WON', 'LOST')),
  -- Of a lost one: what had not gone back to whoever paid. The rest is owed to the platform.
  covered_cents bigint not null default 0 check (covered_cents between 0 and amount_cents),
  -- How often the provider has moved its money so far.
  movements int not null default 0,
  opened_at timestamptz not null,
  closed_at timestamptz,
  recorded_at timestamptz not null,
  unique (provider, reference),
  check ((status = 'OPEN') = (closed_at is null)),
  check (status = 'LOST' or covered_cents = 0)
);
create index lost_disputes_open on lost_disputes (opened_at) where status = 'OPEN';
create index lost_disputes_of_charge on lost_disputes (charge_id);

-- The transfers of these disputes: what the provider kept, and what the platform lost or got back (negative).
create table lost_dispute_bookings (
  business_key text primary key,
  dispute_id uuid not null references lost_disputes (id),
  kind text not null check (kind in ('FEE', 'LOSS')),
  cents bigint not null
);
create index lost_dispute_bookings_of on lost_dispute_bookings (dispute_id);
create trigger lost_disputes_told after insert or update on lost_disputes for each row execute function tell_admins();
