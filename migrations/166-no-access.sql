-- A tester whom the developer has confirmed may report that Google Play does not let them in (decision 070): the wait for the list
-- begins again. How often, when the last time, and what Google Play showed.
alter table participations add column no_access_reports smallint not null default 0;
alter table participations add column no_access_at timestamptz;
alter table participations add column no_access_problem text;
alter table participations add constraint participations_no_access_problem_check
  check (no_access_problem in ('NOT_A_TESTER', 'NOT_IN_COUNTRY', 'NOT_FOUND')) not valid;
alter table participations add constraint participations_no_access check (no_access_reports between 0 and 2
  and (no_access_reports > 0) = (no_access_at is not null) and (no_access_reports > 0) = (no_access_problem is not null)) not valid;

alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'LIST_EXPORTED', 'LIST_CONFIRMED', 'FORM_SAVED', 'APPLIED', 'SEAT_CLOSED',
  'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'TESTER_LISTED', 'TESTER_NOT_LET_IN', 'TESTER_OPTED_IN', 'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED', 'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED',
  'TESTER_REJECTED', 'TESTER_APPEALED', 'APPEAL_GRANTED', 'REJECTION_UPHELD', 'REJECTION_FINAL', 'GOODWILL_PAID',
  'TESTER_LEFT', 'TESTER_DROPPED', 'TESTER_CANCELLED')) not valid;
