-- Indexes that serve the figures of the dashboards (docs/metrics.md): each is summed over a span of time.
create index payments_by_time on payments (created_at) include (amount_cents, developer_id, campaign_id) where status = 'COMPLETED';
create index payments_of_developer on payments (developer_id, created_at) include (amount_cents) where status = 'COMPLETED';
create index refunds_by_time on refunds (created_at) include (amount_cents, campaign_id);
create index refunds_of_developer on refunds (developer_id, created_at) include (amount_cents);
create index transfers_credited on transfers (credit_account_id, at) include (amount_cents);
create index campaigns_by_creation on campaigns (created_at);
create index participations_by_join on participations (joined_at) include (status);
create index participations_by_closing on participations (closed_at) include (status) where closed_at is not null;
