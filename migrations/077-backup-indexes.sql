-- no transaction
-- What was erased or uploaded since the last look: a backup notes the one, and copies the other.
create index concurrently if not exists users_deleted on users (deleted_at) where deleted_at is not null;
create index concurrently if not exists play_addresses_erased on play_addresses (erased_at) where erased_at is not null;
create index concurrently if not exists attachments_stored on attachments (stored_at, id) where stored_at is not null;
