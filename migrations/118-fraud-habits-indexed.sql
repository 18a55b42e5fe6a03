-- no transaction
alter table fraud_reports validate constraint fraud_reports_kind_check;
-- The order in which scans go through addresses that were confirmed, or changed to.
create index concurrently if not exists users_by_confirmation on users (email_verified_at) where email_verified_at is not null;
-- And through tests with as many check-ins as it takes to call them even (`fewestEven` of src/fraud/evenCheckIns.ts).
create index concurrently if not exists participations_often_checked_in on participations (last_seen_at) where check_in_count >= 10;
