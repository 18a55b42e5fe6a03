-- no transaction
-- The fees of a part of an hour, for figures whose period begins within one: the index of migration 089, which took the place of one
-- like this, led through every fee that the platform ever had.
create index concurrently if not exists transfers_credited_by_time on transfers (credit_account_id, at) include (amount_cents);
