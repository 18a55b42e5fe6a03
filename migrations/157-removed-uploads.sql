-- What was uploaded within a day counts towards the bound of that day, also once it is deleted (decision 017).
create table removed_uploads (
  id uuid primary key,
  uploader_id uuid not null references users (id),
  bytes bigint not null check (bytes > 0),
  created_at timestamptz not null
);
create index removed_uploads_of_day on removed_uploads (uploader_id, created_at) include (bytes);
