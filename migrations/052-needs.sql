-- What "Needs you" on the dashboards looks up. Of a campaign at most 100 tests are open at once.
create index participations_open_of_campaign on participations (campaign_id) where closed_at is null;
create index campaigns_with_open_tests on campaigns (developer_id, id) where open_testers > 0;
create index campaigns_before_start on campaigns (developer_id, status, id) where status in ('DRAFT', 'REJECTED', 'APPROVED');
create index bench_offers_of_tester on bench_entries (tester_id, offer_ends_at) where offered_at is not null;
create index withdrawals_waiting on withdrawals (created_at) where status = 'PENDING';
create index withdrawals_failed on withdrawals (settled_at) where status = 'FAILED';
