-- no transaction
alter table users validate constraint users_payouts_paused_because_check;
