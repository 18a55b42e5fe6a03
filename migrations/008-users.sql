-- Suspension of users, and what is told to people inside the product (product.md §5, §7, §8).

alter table users
  add column suspended_at timestamptz,
  add column suspension_reason text,
  add column email_verified_at timestamptz,
  add column deleted_at timestamptz,
  add check ((suspended_at is null) = (suspension_reason is null));
create index users_by_role on users (role, id desc);
create index users_by_age on users (created_at);
create index users_search on users using gin ((lower(name || ' ' || email)) gin_trgm_ops);

alter table sessions drop constraint sessions_end_reason_check,
  add constraint sessions_end_reason_check
    check (end_reason in ('LOGOUT', 'TOKEN_REUSED', 'ENDED_BY_USER', 'PASSWORD_CHANGED', 'SUSPENDED', 'DELETED'));
create index sessions_last_used_of_user on sessions (user_id, last_used_at desc);
create index sessions_in_use on sessions (last_used_at desc) where ended_at is null;

alter table participations drop constraint participations_drop_reason_check,
  add constraint participations_drop_reason_check
    check (drop_reason in ('LEFT', 'NO_CHECK_IN', 'NO_PROOF', 'SUSPENDED'));

create table notifications (
  id uuid primary key,
  user_id uuid not null references users (id),
  subject text not null,
  text text not null,
  created_at timestamptz not null,
  read_at timestamptz
);
create index notifications_of_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
