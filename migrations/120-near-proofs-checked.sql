-- no transaction
alter table fraud_reports validate constraint fraud_reports_kind_check;
