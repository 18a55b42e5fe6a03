-- no transaction
-- The statement of an account, newest first and as of any transfer (decision 056), in place of two indexes that begin with the same
-- columns.
create index concurrently if not exists transfers_debited_in_order on transfers (debit_account_id, id) include (amount_cents, at);
create index concurrently if not exists transfers_credited_in_order on transfers (credit_account_id, id) include (amount_cents, at);
-- contract: all that release 1 reads there it finds in the index above, which begins with the same column.
drop index concurrently if exists transfers_by_debit;
-- contract: all that release 1 reads there it finds in the index above, which begins with the same column.
drop index concurrently if exists transfers_credited;
