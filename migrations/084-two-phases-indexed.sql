-- no transaction
-- A pending transfer is resolved once.
create unique index concurrently if not exists transfers_resolved on transfers (pending_id) where pending_id is not null;
create index concurrently if not exists withdrawals_returned on withdrawals (returned_at) where returned_at is not null;
alter table accounts validate constraint accounts_kind_check;
alter table transfers validate constraint transfers_phase_check;
alter table transfers validate constraint transfers_resolve_check;
alter table transfers validate constraint transfers_pending_id_fkey;
