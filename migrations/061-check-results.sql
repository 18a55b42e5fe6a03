-- What the checks of the data (checks/*.sql) last found, and when they were run.
create table check_rounds (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz
);

create table check_results (
  name text primary key,
  ran_at timestamptz not null,
  took_ms int not null check (took_ms >= 0),
  -- Rows that break it; null when it could not be run.
  broken int check (broken >= 0),
  -- A few of these rows.
  examples jsonb not null,
  error text,
  broken_since timestamptz,
  check ((broken is null) = (error is not null)),
  check ((coalesce(broken, 1) = 0) = (broken_since is null))
);
