-- no transaction
-- Rows of before have passed a stricter check.
alter table notifications validate constraint notifications_about_test_id_check;
