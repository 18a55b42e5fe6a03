-- Which file of the sandbox's movements is this database's (src/ledger/server/movements.ts), and where it was last.
create table sandbox_file (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  path text
);

-- A text sealed with the key in use: whether the keys at hand are those of this database can be tried.
create table key_sample (
  only_row boolean primary key default true check (only_row),
  sealed bytea not null
);

-- By PostgreSQL's clock, which makes jobs due; paused_at is by the product's, which tests move.
alter table job_pauses add column paused_on timestamptz not null default now();

-- What the provider did that a restored copy knew nothing of. A payout is booked as soon as the tester's balance allows it;
-- a refund is taken off the next ones of its payment.
create table lost_movements (
  id uuid primary key,
  kind text not null check (kind in ('PAYOUT', 'REFUND')),
  -- The tester of a payout, the payment of a refund.
  of_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  at timestamptz not null,
  booked_at timestamptz
);
create index lost_payouts on lost_movements (of_id, id) where kind = 'PAYOUT' and booked_at is null;
create index lost_refunds on lost_movements (of_id) where kind = 'REFUND';

-- How much of a part the provider had paid before the restore; null until it is asked for.
alter table refund_parts add column covered_cents bigint;
