-- no transaction
-- The few refunds of which a part was paid before a restore: summed up before each batch of payouts.
create index concurrently if not exists refund_parts_covered on refund_parts (id) include (covered_cents) where covered_cents > 0 and status = 'COMPLETED';
