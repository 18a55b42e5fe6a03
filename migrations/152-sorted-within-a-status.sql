-- no transaction
-- An admin's campaigns of one status, sorted by money: otherwise those of all statuses are passed on the way.
create index concurrently if not exists campaigns_by_status_and_pay on campaigns (status, pay_per_tester_cents, id);
create index concurrently if not exists campaigns_by_status_and_revenue on campaigns (status, (funded_cents + fee_cents), id);
-- Fraud reports of a severity and a status, newest first. It also counts them, so fraud_reports_counted goes when no release reads it.
create index concurrently if not exists fraud_reports_graded on fraud_reports (severity, status, id desc) include (is_sample)
  where archived_at is null;
