-- What the server itself keeps. Its jobs are not here: pg-boss makes its own schema, `pgboss`, when the server starts.

-- Same key and body, same answer; same key and another body, 422 (product.md §4).
create table idempotency_keys (
  user_id uuid not null references users (id),
  key text not null,
  request_hash bytea not null,
  -- What the request acted on or made, so that the answer can be read again if a crash came before it was stored.
  subject_id uuid not null,
  reply jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- How far the test clock was moved (product.md §9), so that a restart does not turn time back. No row in production.
create table test_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null
);
