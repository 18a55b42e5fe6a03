-- A developer's bank takes a payment back, or asks to. While it does, the payment's campaign is frozen (decision 054).
create table disputes (
  id uuid primary key,
  -- The order of the queue.
  seq bigint generated always as identity,
  provider text not null,
  -- The provider's own id of it.
  reference text not null,
  payment_id uuid not null references payments (id),
  campaign_id uuid not null references campaigns (id),
  amount_cents bigint not null check (amount_cents > 0),
  -- As the bank says it.
  reason text not null,
  status text not null check (status in ('OPEN', 'WON', 'LOST')),
  opened_at timestamptz not null,
  evidence_due_at timestamptz,
  closed_at timestamptz,
  -- The admin who recorded the outcome, where no provider tells it.
  closed_by uuid references users (id),
  -- For admins.
  note text,
  -- Of what the bank took, what the campaign had no use for and so the platform got back.
  covered_cents bigint not null default 0 check (covered_cents between 0 and amount_cents),
  recorded_at timestamptz not null,
  unique (provider, reference),
  check ((status = 'OPEN') = (closed_at is null)),
  check (status = 'LOST' or covered_cents = 0)
);
create index disputes_open on disputes (seq) where status = 'OPEN';
create index disputes_by_seq on disputes (seq);
create index disputes_of_campaign on disputes (campaign_id, seq);
create index disputes_of_payment on disputes (payment_id);
create index disputes_closed_by on disputes (closed_by) where closed_by is not null;
create trigger disputes_told after insert or update on disputes for each row execute function tell_admins();

-- Since when a dispute about one of its payments is open; when one was lost, after which nobody new gets in; whether what a
-- closed one leaves to be done is not done yet.
alter table campaigns add column disputed_since timestamptz;
alter table campaigns add column dispute_lost_at timestamptz;
alter table campaigns add column after_dispute boolean not null default false;
