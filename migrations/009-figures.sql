-- Indexes that serve the figures of the dashboards (docs/metrics.md): each is counted or summed over a span of time, from
-- the index alone.
create index payments_by_time on payments (created_at) include (amount_cents, campaign_id) where status = 'COMPLETED';
create index payments_of_developer on payments (developer_id, created_at) include (amount_cents) where status = 'COMPLETED';
create index refunds_by_time on refunds (created_at) include (amount_cents, campaign_id);
create index refunds_of_developer on refunds (developer_id, created_at) include (amount_cents);
create index users_present_by_age on users (created_at) where deleted_at is null;
create index campaigns_by_creation on campaigns (created_at);
create index campaigns_by_revenue on campaigns ((funded_cents + fee_cents) desc, id desc) where funded_cents + fee_cents > 0;
create index participations_by_join on participations (joined_at) include (campaign_id, status, closed_at);
-- Every sum over an account's credits is served by the one with the time in it.
create index transfers_credited on transfers (credit_account_id, at) include (amount_cents);
drop index transfers_by_credit;
