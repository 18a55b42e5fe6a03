-- Sessions are bounded for each user, and deleted some time after their end (decision 006).

-- A user has so many live sessions at most: signing in once more ends the one that was used longest ago.
alter table sessions drop constraint sessions_end_reason_check;
alter table sessions add constraint sessions_end_reason_check check (end_reason in
  ('LOGOUT', 'TOKEN_REUSED', 'ENDED_BY_USER', 'PASSWORD_CHANGED', 'SUSPENDED', 'DELETED', 'TOO_MANY'));
create index sessions_live_of_user on sessions (user_id, last_used_at desc, id desc) include (expires_at)
  where ended_at is null;

-- When a session was over, by its end or by its expiry: what the nightly deletion goes through.
create index sessions_over on sessions (least(ended_at, expires_at), id);

-- What fraud scans need of deleted sessions: when their user was first seen on each device.
create table past_device_uses (
  device text not null,
  user_id uuid not null references users (id),
  first_at timestamptz not null,
  first_seq bigint not null,
  primary key (device, user_id)
);
create index past_device_uses_of_user on past_device_uses (user_id, device);
create index past_device_uses_by_age on past_device_uses (first_at) include (device);

create or replace view device_uses as
  select device_fingerprint as device, user_id, created_at as at, device_seq as seq
    from sessions where device_fingerprint <> ''
  union all
  select device_fingerprint, tester_id, joined_at, device_seq from participations where device_fingerprint <> ''
  union all
  select device, user_id, first_at, first_seq from past_device_uses;
