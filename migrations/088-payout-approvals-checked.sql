-- no transaction
alter table notifications validate constraint notifications_about_kind_check;
