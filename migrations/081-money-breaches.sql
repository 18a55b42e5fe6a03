-- What a check of the money, or the comparison with the provider's balance, found to be wrong. From then on nobody is paid out
-- until an admin has written down why withdrawals go on, also when the check holds again by itself.
create table money_breaches (
  id uuid primary key,
  check_name text not null,
  found_at timestamptz not null,
  -- Counted up to 1,001.
  row_count int not null check (row_count > 0),
  -- By how many cents each row is off, by what it is of.
  off_cents jsonb not null,
  -- A few of the rows.
  examples jsonb not null,
  -- When the check held again, or found more than this: that is a breach of its own.
  ended_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  reason text,
  check ((accepted_at is null) = (accepted_by is null)),
  check ((accepted_at is null) = (reason is null))
);
create unique index money_breaches_open on money_breaches (check_name) where ended_at is null;
create index money_breaches_unexplained on money_breaches (found_at) where accepted_at is null;
create trigger money_breaches_told after insert or update on money_breaches for each row execute function tell_admins();
