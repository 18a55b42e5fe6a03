-- no transaction
update campaigns set has_room = null where id in (select id from campaigns where has_room is null limit 1000);
alter table campaigns validate constraint campaigns_seats_summed_up;
create index concurrently if not exists campaigns_with_room on campaigns (id desc) where status = 'LIVE' and has_room;
create index concurrently if not exists campaigns_with_room_by_pay on campaigns (pay_per_tester_cents, id)
  where status = 'LIVE' and has_room;
create index concurrently if not exists campaigns_with_room_by_days on campaigns (duration_days, id)
  where status = 'LIVE' and has_room;
create index concurrently if not exists campaigns_to_complete on campaigns (completes_at, id) where completes_at is not null;
create index concurrently if not exists campaigns_tested_of_developer on campaigns (developer_id, id) where has_open_tests;
-- Those that may still have money in escrow: campaigns that go on, those with open tests, and those that a dispute holds.
create index concurrently if not exists campaigns_with_escrow on campaigns (escrow_due_at, id)
  where status not in ('COMPLETED', 'CANCELLED') or has_open_tests or disputed_since is not null or after_dispute;
create index concurrently if not exists campaigns_after_lost_dispute on campaigns (id)
  where dispute_lost_at is not null and status in ('LIVE', 'PAUSED');
