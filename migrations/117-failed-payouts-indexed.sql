-- no transaction
-- Of payouts that failed, also those that were paid and came back: by the day on which that was known.
create index concurrently if not exists withdrawals_failed_at on withdrawals (coalesce(returned_at, settled_at)) where status = 'FAILED';
-- contract: a server of release 1 beside it reads the failed payouts of a week without an index while it still runs.
drop index concurrently if exists withdrawals_failed;
