-- no transaction
-- What a developer writes and decides on bugs is counted over 24 hours, of every kind (decision 017).
create index concurrently if not exists bug_entries_of_day on bug_events (author_id, at) include (kind);
-- contract: release 2 is from before this one, and the index above serves what it served.
drop index concurrently if exists bug_comments_of_day;
