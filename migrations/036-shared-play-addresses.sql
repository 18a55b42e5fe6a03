-- A new kind of report: several accounts that test with one Google account.
alter table fraud_reports drop constraint fraud_reports_kind_check;
alter table fraud_reports add constraint fraud_reports_kind_check check (kind in ('SHARED_DEVICE', 'SELF_TEST',
  'SAME_PROOF', 'EARLY_WITHDRAWAL', 'SHARED_PLAY_ADDRESS'));
