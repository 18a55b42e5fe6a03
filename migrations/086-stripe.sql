-- Where a tester's withdrawals go at Stripe: their own account there, and how far it is. Stripe knows the rest.
create table payout_accounts (
  user_id uuid primary key references users (id),
  account_id text not null unique,
  -- ISO 3166-1 alpha-2; Stripe never changes it.
  country text not null check (country ~ '^[A-Z]{2}$'),
  status text not null check (status in ('INCOMPLETE', 'IN_REVIEW', 'READY', 'REJECTED')),
  -- What Stripe still asks for, in words.
  missing text[] not null default '{}',
  checked_at timestamptz not null,
  created_at timestamptz not null
);

-- Until when a provider was asked for all that it has told.
create table provider_sweeps (
  provider text primary key,
  swept_until timestamptz not null
);

-- An open page shows where to pay, and that nothing was paid; that something was is told by the campaign's own event.
create function tell_of_charge() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id) values (new.developer_id, 'CAMPAIGN', new.campaign_id);
  return null;
end $$;
create trigger charges_told after update on charges for each row
  when (old.status is distinct from new.status or old.checkout_url is distinct from new.checkout_url)
  execute function tell_of_charge();

create function tell_of_payout_account() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic) values (new.user_id, 'MONEY');
  return null;
end $$;
create trigger payout_accounts_told after update on payout_accounts for each row
  when (old.status is distinct from new.status or old.missing is distinct from new.missing)
  execute function tell_of_payout_account();
