-- What testers give up with their account stands on an account of the platform's own: it is no fee.
alter table accounts drop constraint accounts_kind_check;
alter table accounts add constraint accounts_kind_check check (kind in ('PROVIDER_CASH', 'CAMPAIGN_ESCROW', 'CAMPAIGN_FEE',
  'PLATFORM_REVENUE', 'TESTER_BALANCE', 'PAYMENTS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_OWED', 'REFUNDS_IN_TRANSIT',
  'DISPUTES_RECEIVABLE', 'PROVIDER_FEES', 'PAID_OUTSIDE', 'REFUNDS_OVERPAID', 'GIVEN_UP')) not valid;
