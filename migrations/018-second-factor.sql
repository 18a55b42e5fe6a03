-- The second factor (product.md §5): authenticator apps (TOTP), passkeys (WebAuthn) and recovery codes.

-- When the session's user last proved the second factor; null before the first time.
alter table sessions add column second_factor_at timestamptz;

create table totp_secrets (
  user_id uuid primary key references users (id),
  -- Sealed by the server (src/kit/server/encryption.ts).
  secret bytea not null,
  created_at timestamptz not null,
  -- Null until a code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The last time step whose code was accepted: none is accepted twice (RFC 6238 §5.2).
  last_step bigint not null default 0
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  -- Signatures made, as the authenticator counts them; 0 where it does not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id, id);

-- Argon2id with one salt for a user's set, so that a code is checked by one hash.
create table recovery_codes (
  user_id uuid not null references users (id),
  hash bytea not null,
  salt bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- What a caller answers with a factor: used once, for five minutes, and void after too many wrong codes.
create table factor_challenges (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('SIGN_IN', 'STEP_UP', 'NEW_PASSKEY')),
  user_id uuid not null references users (id),
  -- The session that asks; null for a sign-in, which has none yet.
  session_id uuid references sessions (id),
  -- SHA-256 of the password hash that a sign-in was begun with: a new password ends it.
  password_hash_digest bytea,
  device_fingerprint text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  wrong_answers int not null default 0,
  used_at timestamptz,
  check ((purpose = 'SIGN_IN') = (session_id is null)),
  check ((purpose = 'SIGN_IN') = (password_hash_digest is not null))
);
create index factor_challenges_by_age on factor_challenges (expires_at);
create index factor_challenges_of_user on factor_challenges (user_id);
create index factor_challenges_of_session on factor_challenges (session_id) where session_id is not null;

-- Wrong codes, each account's own budget. A right one clears them.
create table factor_guesses (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  at timestamptz not null
);
create index factor_guesses_of_user on factor_guesses (user_id, at desc);
create index factor_guesses_by_age on factor_guesses (at);

-- The command line acts for nobody: `npm run admin -- reset-second-factor`.
alter table audit_log alter column admin_id drop not null;
