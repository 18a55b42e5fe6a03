-- no transaction
alter table accounts validate constraint accounts_kind_check;
