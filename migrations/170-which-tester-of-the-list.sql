-- A notification that leads to the tester list may mean one tester, too: a digest leaves it out once they are let in.
alter table notifications drop constraint notifications_about_test_id_check;
alter table notifications add constraint notifications_about_test_id_check
  check (about_test_id is null or about_kind in ('TESTERS', 'PROOFS', 'TESTER_LIST')) not valid;
