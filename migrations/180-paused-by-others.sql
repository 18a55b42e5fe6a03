-- no transaction
-- What an owner has to resume, for "Needs you".
create index concurrently if not exists campaigns_paused_by_others on campaigns (developer_id, id) where paused_by is not null;
-- Who is to be told that their seat was taken back, and, later than others, of the next one.
create index concurrently if not exists bench_taken_back on bench_entries (told_at, id)
  where taken_back and taken_back_told_at is null and offered_at is null;
create index concurrently if not exists bench_told_late on bench_entries (told_at, id)
  where offered_at is not null and taken_back_told_at is not null;
-- The list of reports without samples.
create index concurrently if not exists fraud_reports_found on fraud_reports (id desc) where archived_at is null and not is_sample;
