-- no transaction
create index concurrently if not exists refund_parts_of_refund on refund_parts (refund_id, payment_id);
create index concurrently if not exists refund_parts_of_dispute on refund_parts (dispute_id) where dispute_id is not null;
