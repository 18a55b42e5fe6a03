-- Who uses the product, and how they stay signed in (product.md §5).
-- No default reads the database's clock: every timestamp comes from the server's one clock (decision 005).
-- Ids are version 7 UUIDs, so they sort by creation: every list is paged by id.

-- Trigram indexes: the search boxes find a part of a word, in any case.
create extension if not exists pg_trgm;

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  email_verified_at timestamptz,
  name text not null,
  role text not null check (role in ('DEVELOPER', 'TESTER', 'ADMIN')),
  password_hash text not null,
  country text,
  time_zone text not null default 'UTC',
  -- Where payouts go; null means the account's own email.
  payment_method text,
  payment_method_changed_at timestamptz,
  created_at timestamptz not null,
  suspended_at timestamptz,
  suspension_reason text,
  deleted_at timestamptz,
  check ((suspended_at is null) = (suspension_reason is null))
);
create index users_by_role on users (role, id desc);
create index users_by_age on users (created_at);
create index users_present_by_age on users (created_at) where deleted_at is null;
create index users_search on users using gin ((lower(name || ' ' || email)) gin_trgm_ops);

-- A session is one refresh token family (RFC 9700 §4.14.2): it ends as a whole.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  ip text not null,
  user_agent text not null,
  -- A random name that the browser keeps; fraud scans compare it (008).
  device_fingerprint text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in
    ('LOGOUT', 'TOKEN_REUSED', 'ENDED_BY_USER', 'PASSWORD_CHANGED', 'SUSPENDED', 'DELETED')),
  check ((ended_at is null) = (end_reason is null))
);
create index sessions_of_user on sessions (user_id, created_at desc);
create index sessions_last_used_of_user on sessions (user_id, last_used_at desc);
create index sessions_in_use on sessions (last_used_at desc) where ended_at is null;
-- What a server reads when it starts: the sessions that ended while access tokens may still be alive.
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_by_device on sessions (device_fingerprint, user_id, created_at) where device_fingerprint <> '';
create index sessions_with_device_by_age on sessions (created_at) include (device_fingerprint)
  where device_fingerprint <> '';
create index sessions_with_device_of_user on sessions (user_id) include (device_fingerprint, created_at)
  where device_fingerprint <> '';

-- Only the SHA-256 of a refresh token is kept. A used token stays, so that its reuse is recognised.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create index refresh_tokens_expired on refresh_tokens (expires_at);

-- Wrong passwords, by the email that was tried and by the caller's address: both are limited.
create table login_failures (
  id bigint generated always as identity primary key,
  email text not null,
  ip text not null,
  at timestamptz not null,
  -- Signing in takes earlier failures out of the limit's count and leaves them to the security report. Housekeeping
  -- removes them by age.
  cleared boolean not null default false
);
-- What the limits count.
create index login_failures_counted_by_email on login_failures (email, at desc) where not cleared;
create index login_failures_counted_by_ip on login_failures (ip, at desc) where not cleared;
-- All of an email's failures, for when its account is deleted.
create index login_failures_by_email on login_failures (email, at desc);
create index login_failures_by_age on login_failures (at);
