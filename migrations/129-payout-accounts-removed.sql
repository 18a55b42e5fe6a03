-- A tester may take another payout account: the former one is kept by its id, so that it is known by that and never taken again.
create table removed_payout_accounts (
  account_id text primary key,
  user_id uuid not null references users (id),
  country text not null,
  removed_at timestamptz not null
);
create index removed_payout_accounts_of on removed_payout_accounts (user_id);

alter table users drop constraint users_payouts_paused_because_check;
alter table users add constraint users_payouts_paused_because_check
  check (payouts_paused_because in ('EMAIL_CHANGED', 'PASSWORD_RESET', 'PAYOUT_ACCOUNT_OPENED')) not valid;
