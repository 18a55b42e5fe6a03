-- What a provider takes for its own services, such as an account to which testers are paid: it names no payment of ours. The key of
-- its transfer is `account-fee:<id>`.
create table account_fees (
  id uuid primary key,
  provider text not null,
  -- What the provider calls the movement.
  reference text not null,
  -- Negative: given back.
  amount_cents bigint not null check (amount_cents <> 0),
  -- When the provider moved it, by its clock.
  moved_at timestamptz not null,
  recorded_at timestamptz not null,
  unique (provider, reference)
);
create index account_fees_moved on account_fees (provider, moved_at);
