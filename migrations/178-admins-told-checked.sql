-- no transaction
alter table notifications validate constraint notifications_about_kind_check;
-- What admins were told of another admin goes with that account.
create index concurrently if not exists notifications_of_admins on notifications (about_id) where about_kind = 'ADMIN';
