-- no transaction
alter table check_ins validate constraint check_ins_in_first;
alter table audit_log validate constraint audit_log_in_first;
create unique index concurrently if not exists audit_log_first_key on audit_log (id, at);
