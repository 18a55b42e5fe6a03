-- no transaction
alter table disputes validate constraint disputes_set_off;
alter table refund_parts validate constraint refund_parts_set_off;
