-- no transaction
-- What an owner has to resume, for "Needs you".
create index concurrently if not exists campaigns_paused_by_others on campaigns (developer_id, id) where paused_by is not null;
