-- no transaction
alter table accounts validate constraint accounts_kind_check;
alter table notifications validate constraint notifications_about_kind_check;
