-- How far a scan for fraud has come: it goes through the facts in the order of their times, in steps of its own, and goes on
-- here after its server has died.
create table fraud_scan_progress (
  detector text primary key,
  -- The scan that is looking, or was the last to look.
  scan_id uuid not null references fraud_scans (id),
  -- What is looked at begins here; when it is done, the next scan's begins with `next_since`.
  since timestamptz not null,
  next_since timestamptz not null,
  -- Everything before it has been looked at.
  position timestamptz not null,
  found int not null default 0 check (found >= 0),
  done boolean not null default false
);
