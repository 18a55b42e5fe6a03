-- no transaction
-- Rows of before have passed the checks of 166.
alter table participations validate constraint participations_no_access_problem_check;
alter table participations validate constraint participations_no_access;
alter table campaign_events validate constraint campaign_events_kind_check;
