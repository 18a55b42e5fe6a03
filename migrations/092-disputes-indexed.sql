-- no transaction
create index concurrently if not exists campaigns_after_dispute on campaigns (id) where after_dispute;
-- Seats that become free after a lost dispute are closed.
create index concurrently if not exists campaigns_to_empty on campaigns (id)
  where dispute_lost_at is not null and status in ('LIVE', 'PAUSED') and seats_taken + closed_seats < testers_required;
