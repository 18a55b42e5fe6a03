-- Which proof a rejection was asked for: the one before which changes had been requested so often. Times do not tell, since servers'
-- clocks differ. Null for what was asked before this column was there, by servers of the last release too.
alter table rejection_requests add column changes_requested int;
