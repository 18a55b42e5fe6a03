-- Who uses the product, and how they stay signed in (product.md §5).
-- Every timestamp is given by the server's one clock; no default reads the database's own.

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null check (role in ('DEVELOPER', 'TESTER', 'ADMIN')),
  password_hash text not null,
  country text,
  time_zone text not null default 'UTC',
  -- Where payouts go; null is the account's own email.
  payment_method text,
  payment_method_changed_at timestamptz,
  created_at timestamptz not null
);

-- A session is one refresh token family (RFC 9700 §4.14.2): it ends as a whole.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('LOGOUT', 'TOKEN_REUSED')),
  check ((ended_at is null) = (end_reason is null))
);
create index sessions_of_user on sessions (user_id, created_at desc);
-- What a server reads when it starts: the sessions that ended while access tokens may still be alive.
create index sessions_ended on sessions (ended_at) where ended_at is not null;

-- Only the SHA-256 of a refresh token is kept. A used one stays, to be recognised when it comes again.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create index refresh_tokens_expired on refresh_tokens (expires_at);

-- Wrong passwords, by the address that was tried and by the caller's: both are limited.
create table login_failures (
  id bigint generated always as identity primary key,
  email text not null,
  ip text not null,
  at timestamptz not null
);
create index login_failures_by_email on login_failures (email, at desc);
create index login_failures_by_ip on login_failures (ip, at desc);
create index login_failures_by_age on login_failures (at);

-- How far the test clock was moved (product.md §9): a restart must not turn time back. No row in production.
create table test_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null
);
