-- What has changed in the money since it was last checked: a row for each change, written in its transaction by triggers, so that
-- a check every minute looks at that alone (decision 058). Rows are deleted by the transaction that checks them; one that commits
-- late is simply still there for the next. Without an index, since all of them are read.
create table money_changes (
  -- Whatever it is about: campaigns, users, tests, withdrawals, payments, refunds.
  ids uuid[],
  -- An account whose own row changed.
  account_id bigint,
  -- Of a transfer. A transfer that was taken away counts against what it had moved.
  business_key text,
  debit_account_id bigint,
  credit_account_id bigint,
  cents bigint
);
-- Its rows live for a minute.
alter table money_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What all transfers of the provider's cash add up to, but for those in money_changes. No row until it was counted in full.
create table provider_cash (
  only_row boolean primary key default true check (only_row),
  cents bigint not null,
  counted_at timestamptz not null
);

-- How the checks of the money follow the changes: one row in all, and one for each check that could not follow.
create table money_watch (
  only_row boolean primary key default true check (only_row),
  ran_at timestamptz not null,
  took_ms int not null check (took_ms >= 0),
  -- How many changes it looked at.
  changes int not null check (changes >= 0)
);
create table money_check_states (
  name text primary key,
  -- It failed on some changes, and has not been run in full since.
  behind_since timestamptz,
  error text,
  -- When it was last run in full because of that, or because it was broken.
  full_at timestamptz
);

create function note_transfer() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into money_changes (ids, business_key, debit_account_id, credit_account_id, cents)
      values (array[old.campaign_id], old.business_key, old.debit_account_id, old.credit_account_id, -old.amount_cents);
  end if;
  if tg_op <> 'DELETE' then
    insert into money_changes (ids, business_key, debit_account_id, credit_account_id, cents)
      values (array[new.campaign_id], new.business_key, new.debit_account_id, new.credit_account_id, new.amount_cents);
  end if;
  return null;
end $$;
create trigger transfers_noted after insert or update or delete on transfers for each row execute function note_transfer();

create function note_account() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then insert into money_changes (ids, account_id) values (array[old.owner_id], old.id); end if;
  if tg_op <> 'DELETE' then insert into money_changes (ids, account_id) values (array[new.owner_id], new.id); end if;
  return null;
end $$;
-- A new account is empty, and the platform's own say nothing.
create trigger accounts_noted after insert on accounts for each row when (new.balance_cents > 0) execute function note_account();
create trigger accounts_noted_again after update on accounts for each row
  when (old.* is distinct from new.*) execute function note_account();
create trigger accounts_noted_gone after delete on accounts for each row execute function note_account();

create function note_campaign() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then insert into money_changes (ids) values (array[old.id, old.developer_id]); end if;
  if tg_op <> 'DELETE' then insert into money_changes (ids) values (array[new.id, new.developer_id]); end if;
  return null;
end $$;
create trigger campaigns_noted after insert or delete on campaigns for each row execute function note_campaign();
-- Not when a seat is taken.
create trigger campaigns_noted_again after update on campaigns for each row
  when ((old.status, old.developer_id, old.testers_required, old.pay_per_tester_cents, old.quoted_fee_cents, old.funded_cents,
      old.fee_cents, old.verified_testers, old.closed_seats, old.disputed_since, old.after_dispute)
    is distinct from (new.status, new.developer_id, new.testers_required, new.pay_per_tester_cents, new.quoted_fee_cents,
      new.funded_cents, new.fee_cents, new.verified_testers, new.closed_seats, new.disputed_since, new.after_dispute)
    or (old.open_testers <> new.open_testers and new.status in ('COMPLETED', 'CANCELLED')))
  execute function note_campaign();

create function note_participation() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[coalesce(new.id, old.id), coalesce(new.campaign_id, old.campaign_id)]);
  return null;
end $$;
create trigger participations_noted after insert on participations for each row
  when (new.status in ('VERIFIED', 'CANCELLED')) execute function note_participation();
-- Only of those that are paid.
create trigger participations_noted_again after update on participations for each row
  when ((old.status in ('VERIFIED', 'CANCELLED') or new.status in ('VERIFIED', 'CANCELLED'))
    and (old.status, old.payout_amount_cents) is distinct from (new.status, new.payout_amount_cents))
  execute function note_participation();
create trigger participations_noted_gone after delete on participations for each row execute function note_participation();

create function note_appeal() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[new.participation_id, old.participation_id]);
  return null;
end $$;
create trigger appeals_noted after insert on appeals for each row when (new.outcome is not null) execute function note_appeal();
create trigger appeals_noted_again after update on appeals for each row
  when (old.outcome is distinct from new.outcome) execute function note_appeal();
create trigger appeals_noted_gone after delete on appeals for each row execute function note_appeal();

create function note_transaction() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[new.user_id, old.user_id]);
  return null;
end $$;
create trigger transactions_noted after insert or update or delete on transactions for each row
  execute function note_transaction();

create function note_payment() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[coalesce(new.id, old.id), new.campaign_id, old.campaign_id]);
  return null;
end $$;
create trigger payments_noted after insert or update or delete on payments for each row execute function note_payment();
create trigger charges_noted after insert or update or delete on charges for each row execute function note_payment();
create trigger disputes_noted after insert or update or delete on disputes for each row execute function note_payment();
create trigger refunds_noted after insert or update or delete on refunds for each row execute function note_payment();

create function note_refund_part() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[coalesce(new.id, old.id), new.refund_id, old.refund_id, new.payment_id, old.payment_id]);
  return null;
end $$;
create trigger refund_parts_noted after insert or update or delete on refund_parts for each row
  execute function note_refund_part();

create function note_withdrawal() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[coalesce(new.id, old.id), new.tester_id, old.tester_id]);
  return null;
end $$;
create trigger withdrawals_noted after insert or update or delete on withdrawals for each row execute function note_withdrawal();

create function note_movement() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[new.request_id, old.request_id]);
  return null;
end $$;
create trigger sandbox_movements_noted after insert or update or delete on sandbox_movements for each row
  execute function note_movement();

create function note_call() returns trigger language plpgsql as $$
begin
  insert into money_changes (ids) values (array[coalesce(new.id, old.id), new.subject_id, old.subject_id]);
  return null;
end $$;
create trigger provider_calls_noted after insert or delete on provider_calls for each row execute function note_call();
-- Not when it is sent.
create trigger provider_calls_noted_again after update on provider_calls for each row
  when ((old.status, old.subject_id, old.kind) is distinct from (new.status, new.subject_id, new.kind)) execute function note_call();

-- What the provider said last that it holds for us, and what our books say that it can hold.
create table provider_comparisons (
  only_row boolean primary key default true check (only_row),
  compared_at timestamptz not null,
  provider text not null,
  balance_cents bigint not null,
  least_cents bigint not null,
  most_cents bigint not null,
  off_cents bigint not null
);
