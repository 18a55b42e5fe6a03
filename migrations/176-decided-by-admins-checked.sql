-- no transaction
-- Nobody is recorded as having paused a campaign of before.
alter table campaigns validate constraint campaigns_paused_by_check;
