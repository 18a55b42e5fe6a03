-- no transaction
-- What an account uploads, and what it writes on bugs, is counted over 24 hours (decision 017).
create index concurrently if not exists attachments_of_day on attachments (uploader_id, created_at) include (bytes);
create index concurrently if not exists bug_comments_of_day on bug_events (author_id, at) where kind = 'COMMENTED';
