-- Confirmed addresses, forgotten passwords and changed addresses (product.md §5, §10): links that are emailed and used once.

-- Only a link's hash is kept: what the database holds opens nothing.
create table email_links (
  id uuid primary key,
  -- The order in which links were made, which no clock can turn around.
  seq bigint generated always as identity,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('CONFIRM_EMAIL', 'RESET_PASSWORD', 'CHANGE_EMAIL', 'UNDO_EMAIL_CHANGE')),
  user_id uuid not null references users (id),
  -- The address that it was sent to: to be confirmed, or to go back to.
  email text not null check (email = lower(email)),
  -- When the address to go back to was confirmed.
  email_verified_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Also set when another link or a new password has made it void.
  used_at timestamptz
);
create index email_links_of_user on email_links (user_id, purpose, seq desc);
create index email_links_by_age on email_links (expires_at);
-- An address that can still be gone back to is kept for its owner.
create index email_links_reserved on email_links (email) where purpose = 'UNDO_EMAIL_CHANGE' and used_at is null;

-- How many reset links a caller (an IPv4 address, or the /64 of an IPv6 one) has asked for within the hour.
create table reset_requests (
  network text primary key,
  window_start timestamptz not null,
  requests int not null
);
create index reset_requests_by_age on reset_requests (window_start);

-- A pause of withdrawals for another reason than a new payment method.
alter table users
  add column payouts_paused_until timestamptz,
  add column payouts_paused_because text,
  add constraint users_payouts_paused_because_check check (payouts_paused_because in ('EMAIL_CHANGED', 'PASSWORD_RESET')),
  add constraint users_payouts_pause check ((payouts_paused_until is null) = (payouts_paused_because is null));

-- Whoever runs the server vouches for its admins.
update users set email_verified_at = created_at where role = 'ADMIN' and deleted_at is null;

alter table settings add column confirmed_email_required boolean not null default false;

-- What concerns the account itself is shown in the settings.
alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'TEST', 'WITHDRAWAL', 'ACCOUNT'));
