-- no transaction
-- Before goodwill is paid: whom an open grave report names among its facts. Otherwise every such report is read, for each person.
-- Few are written, and each look would pass through a list of those that are not sorted in yet.
create index concurrently if not exists fraud_reports_naming on fraud_reports
  using gin (jsonb_path_query_array(facts, '$.**.userId')) with (fastupdate = off)
  where archived_at is null and status = 'OPEN' and not is_sample and severity in ('HIGH', 'CRITICAL');
