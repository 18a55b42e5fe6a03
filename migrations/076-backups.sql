-- Base backups that were taken, for the page of operations; and up to when the log has left for the place of the backups.
create table backups (
  id bigint generated always as identity primary key,
  taken_at timestamptz not null,
  took_ms integer not null,
  bytes bigint not null,
  place text not null
);
create table backup_log (
  only_row boolean primary key default true check (only_row),
  archived_until timestamptz not null
);
