-- A notification leads to where its reader acts: the review desk, the tester list, or one tester of the campaign.

alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'WITHDRAWAL', 'ACCOUNT'));

-- Which of the campaign's tests; null for older rows, which lead to all of them.
alter table notifications add column about_test_id uuid;
alter table notifications add constraint notifications_about_test_id_check
  check (about_test_id is null or about_kind in ('TESTERS', 'PROOFS'));
