-- no transaction
-- Open reports that hold back goodwill pay, archived ones too.
create index concurrently if not exists fraud_reports_grave on fraud_reports (user_id)
  where status = 'OPEN' and not is_sample and severity in ('HIGH', 'CRITICAL');
