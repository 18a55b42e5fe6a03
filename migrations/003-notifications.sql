-- What people are told inside the product (product.md §8).

create table notifications (
  id uuid primary key,
  user_id uuid not null references users (id),
  subject text not null,
  text text not null,
  -- What it is about, and so where it links to (src/notifications/about.ts); null when no screen shows it.
  about_kind text check (about_kind in ('CAMPAIGN', 'TESTERS', 'TEST', 'WITHDRAWAL')),
  about_id uuid,
  created_at timestamptz not null,
  read_at timestamptz,
  check ((about_kind is null) = (about_id is null))
);
create index notifications_of_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
