-- no transaction
-- Rows of before have passed the check of 166.
alter table campaign_events validate constraint campaign_events_kind_check;
