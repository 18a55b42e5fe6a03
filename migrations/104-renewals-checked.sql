-- no transaction
alter table escrow_decisions validate constraint escrow_decisions_decision_check;
