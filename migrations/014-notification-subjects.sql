-- What a notification is about (src/notifications/about.ts), so that it leads there; null where no screen shows it, and
-- for what was told before.

alter table notifications
  add column about_kind text check (about_kind in ('CAMPAIGN', 'TESTERS', 'TEST', 'WITHDRAWAL')),
  add column about_id uuid,
  add check ((about_kind is null) = (about_id is null));
