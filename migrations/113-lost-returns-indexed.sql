-- no transaction
create index concurrently if not exists lost_movements_back on lost_movements (returned_at)
  where returned_at is not null and booked_at is null;
