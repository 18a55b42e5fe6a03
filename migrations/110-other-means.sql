-- A refund that the payment provider refuses for good: an admin has it tried again, or pays it by other means (decision 061).
alter table accounts drop constraint accounts_kind_check;
alter table accounts add constraint accounts_kind_check check (kind in ('PROVIDER_CASH', 'CAMPAIGN_ESCROW', 'CAMPAIGN_FEE',
  'PLATFORM_REVENUE', 'TESTER_BALANCE', 'PAYMENTS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_OWED', 'REFUNDS_IN_TRANSIT',
  'DISPUTES_RECEIVABLE', 'PROVIDER_FEES', 'PAID_OUTSIDE', 'REFUNDS_OVERPAID')) not valid;

-- An admin has a stuck part tried again: since when, until its answer.
alter table refund_parts add column retry_asked_at timestamptz;

-- Parts of refunds that an admin says were paid by other means than the provider, such as a bank transfer.
create table outside_refunds (
  id uuid primary key,
  part_id uuid not null references refund_parts (id),
  amount_cents bigint not null check (amount_cents > 0),
  -- The number of the transfer. The developer reads it.
  reference text not null check (length(reference) between 5 and 200),
  -- For admins.
  note text,
  -- It was above the limit from which payouts take two admins.
  needs_two boolean not null,
  recorded_by uuid not null references users (id),
  recorded_at timestamptz not null,
  -- REFUSED: an admin took it back. LAPSED: the provider told that it had paid after all.
  outcome text check (outcome in ('PAID', 'REFUSED', 'LAPSED')),
  decided_by uuid references users (id),
  decided_at timestamptz,
  -- Of a refusal.
  reason text,
  check ((outcome is null) = (decided_at is null)),
  check ((decided_by is not null) = coalesce(outcome in ('PAID', 'REFUSED'), false)),
  check ((reason is not null) = coalesce(outcome = 'REFUSED', false)),
  check (outcome is distinct from 'PAID' or not needs_two or recorded_by <> decided_by)
);
create unique index outside_refunds_standing on outside_refunds (part_id) where outcome is null or outcome = 'PAID';
create index outside_refunds_of_part on outside_refunds (part_id);
create index outside_refunds_recorded_by on outside_refunds (recorded_by);
create index outside_refunds_decided_by on outside_refunds (decided_by) where decided_by is not null;
create trigger outside_refunds_told after insert or update on outside_refunds for each row execute function tell_admins();

-- The provider told that it had paid an attempt which counted as refused, after the part was paid otherwise: it was paid twice.
create table over_refunds (
  id uuid primary key,
  part_id uuid not null references refund_parts (id),
  call_id uuid not null references provider_calls (id),
  amount_cents bigint not null check (amount_cents > 0),
  told_at timestamptz not null,
  -- CAME_BACK: the provider has it again. SETTLED: an admin closed it, with a note.
  outcome text check (outcome in ('CAME_BACK', 'SETTLED')),
  ended_at timestamptz,
  ended_by uuid references users (id),
  note text,
  check ((outcome is null) = (ended_at is null)),
  check ((ended_by is not null) = coalesce(outcome = 'SETTLED', false))
);
create unique index over_refunds_of_call on over_refunds (call_id) where outcome is distinct from 'CAME_BACK';
create index over_refunds_of_part on over_refunds (part_id);
create index over_refunds_open on over_refunds (part_id) where outcome is null;
create index over_refunds_ended_by on over_refunds (ended_by) where ended_by is not null;
create trigger over_refunds_told after insert or update on over_refunds for each row execute function tell_admins();

-- What admins see of them.
create trigger refund_parts_stuck_told after update on refund_parts for each row
  when ((old.stuck_since, old.retry_asked_at) is distinct from (new.stuck_since, new.retry_asked_at)
    or (new.stuck_since is not null and old.status <> new.status))
  execute function tell_admins();

-- The checks of the money look at what these change.
create function note_outside_refund() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids)
    select array[coalesce(new.id, old.id), p.id, p.refund_id, p.payment_id] from refund_parts p
    where p.id in (new.part_id, old.part_id);
  return null;
end $$;
create trigger outside_refunds_noted after insert or update or delete on outside_refunds for each row
  execute function note_outside_refund();
create trigger over_refunds_noted after insert or update or delete on over_refunds for each row
  execute function note_outside_refund();

alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'BUG', 'APPEAL', 'WITHDRAWAL', 'PAYOUT',
    'REFUND', 'STUCK_REFUND', 'SETTINGS', 'OPERATIONS', 'ACCOUNT')) not valid;

-- A second admin has to agree before the limit of payouts is raised or turned off.
create table limit_changes (
  id uuid primary key,
  -- The limit when it was proposed, and the proposed one; null turns it off.
  from_cents bigint not null check (from_cents > 0),
  to_cents bigint check (to_cents > from_cents),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null,
  -- REFUSED: by any admin, also who proposed it. LAPSED: the limit was changed meanwhile, or another change was proposed.
  outcome text check (outcome in ('CONFIRMED', 'REFUSED', 'LAPSED')),
  decided_by uuid references users (id),
  decided_at timestamptz,
  check ((outcome is null) = (decided_at is null)),
  check ((outcome is null) = (decided_by is null)),
  -- Two people, always.
  check (outcome is distinct from 'CONFIRMED' or proposed_by <> decided_by)
);
create unique index limit_changes_open on limit_changes ((true)) where outcome is null;
create index limit_changes_proposed_by on limit_changes (proposed_by);
create index limit_changes_decided_by on limit_changes (decided_by) where decided_by is not null;
create trigger limit_changes_told after insert or update on limit_changes for each row execute function tell_admins();
