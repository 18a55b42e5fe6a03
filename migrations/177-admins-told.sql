-- Admins are told of admin accounts that begin or end.
alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'BUG', 'APPEAL', 'WITHDRAWAL', 'PAYOUT',
    'REFUND', 'STUCK_REFUND', 'SETTINGS', 'OPERATIONS', 'ADMIN', 'ACCOUNT')) not valid;
