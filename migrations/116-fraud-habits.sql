-- New kinds of reports: accounts whose email is at a domain of throw-away addresses, and check-ins as even as a machine's.
alter table fraud_reports drop constraint fraud_reports_kind_check;
alter table fraud_reports add constraint fraud_reports_kind_check check (kind in ('SHARED_DEVICE', 'SELF_TEST',
  'SAME_PROOF', 'SAME_PICTURE', 'EARLY_WITHDRAWAL', 'SHARED_PLAY_ADDRESS', 'THROW_AWAY_MAIL', 'EVEN_CHECK_INS')) not valid;
