-- When the admins were told of a breach; each is told of once.
alter table money_breaches add column told_at timestamptz;

alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'BUG', 'APPEAL', 'WITHDRAWAL', 'PAYOUT',
    'OPERATIONS', 'ACCOUNT'))
  not valid;
