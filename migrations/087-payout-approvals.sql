-- A payout above a limit waits for two admins: one releases it, and another one confirms.

-- Null: none waits.
alter table settings add column payout_approval_cents bigint check (payout_approval_cents > 0);

create table payout_approvals (
  -- The order of the queue.
  seq bigint generated always as identity primary key,
  withdrawal_id uuid not null unique references withdrawals (id),
  requested_at timestamptz not null,
  -- A release counts for as long as who gave it is an active admin; after that another one replaces it.
  released_by uuid references users (id),
  released_at timestamptz,
  -- LAPSED: the limit was raised above it, or turned off.
  outcome text check (outcome in ('CONFIRMED', 'REFUSED', 'LAPSED')),
  decided_by uuid references users (id),
  decided_at timestamptz,
  -- Of a refusal; the tester reads it.
  reason text,
  check ((released_by is null) = (released_at is null)),
  check ((outcome is null) = (decided_at is null)),
  check ((decided_by is not null) = coalesce(outcome in ('CONFIRMED', 'REFUSED'), false)),
  check ((reason is not null) = coalesce(outcome = 'REFUSED', false)),
  -- Two people, always.
  check (outcome is distinct from 'CONFIRMED' or (released_by is not null and released_by <> decided_by))
);
create index payout_approvals_waiting on payout_approvals (seq) where outcome is null;
create index payout_approvals_released_by on payout_approvals (released_by) where released_by is not null;
create index payout_approvals_decided_by on payout_approvals (decided_by) where decided_by is not null;
create trigger payout_approvals_told after insert or update on payout_approvals for each row execute function tell_admins();

create function tell_of_payout_approval() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic)
    select w.tester_id, 'MONEY' from withdrawals w where w.id = new.withdrawal_id;
  return null;
end $$;
create trigger payout_approvals_tell_tester after insert or update on payout_approvals for each row
  execute function tell_of_payout_approval();

alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'BUG', 'APPEAL', 'WITHDRAWAL', 'PAYOUT', 'ACCOUNT'))
  not valid;
