-- no transaction
-- The lines of a month or a year, oldest first, and their sums from the index alone.
create index concurrently if not exists transactions_of_user_by_time on transactions (user_id, created_at, seq)
  include (type, status, amount_cents);
