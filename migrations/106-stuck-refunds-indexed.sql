-- no transaction
create index concurrently if not exists refund_parts_stuck on refund_parts (stuck_since)
  where stuck_since is not null and status = 'PENDING';
