-- no transaction
-- In the place of sessions_over, which goes when no release reads it.
create index concurrently if not exists sessions_to_delete on sessions (least(ended_at, expires_at), id) where not kept_as_latest;
create index concurrently if not exists sessions_kept on sessions (user_id) where kept_as_latest;
