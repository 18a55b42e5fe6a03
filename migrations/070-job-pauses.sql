-- While a row is open, jobs stand still on every server, but for those that are never paused (src/kit/server/pauses.ts).
-- A restored copy begins with one: what it would do again, the original may have done.
create table job_pauses (
  id uuid primary key,
  reason text not null check (reason in ('RESTORED', 'ADMIN')),
  -- Why, in the words of the admin or of the restore.
  note text not null,
  paused_at timestamptz not null,
  -- The admin; null for a restore, and for what was resumed on the command line.
  paused_by uuid references users (id),
  resumed_at timestamptz,
  resumed_by uuid references users (id),
  -- Of a restored copy: what resuming it waits for.
  keys_found_at timestamptz,
  provider_file text,
  reconciled_at timestamptz,
  -- What reconciling found, as numbers.
  found jsonb,
  check (resumed_at >= paused_at),
  check (resumed_at is not null or resumed_by is null),
  check ((reconciled_at is null) = (found is null))
);
create unique index job_pauses_one_open on job_pauses ((true)) where resumed_at is null;
-- Who moves deadlines on by the time that jobs were paused reads the latest.
create index job_pauses_by_time on job_pauses (paused_at);
