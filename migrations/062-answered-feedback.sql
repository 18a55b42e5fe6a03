-- A change may answer feedback (decision 036), and a campaign says how many questions its feedback form has.

alter table campaigns add column feedback_questions int not null default 0 check (feedback_questions >= 0);
update campaigns c set feedback_questions = jsonb_array_length(f.questions)
  from (select distinct on (campaign_id) campaign_id, questions from feedback_forms order by campaign_id, version desc) f
  where f.campaign_id = c.id and jsonb_array_length(f.questions) > 0;

-- What a tester had answered, as it was when the version was published, and what testing again has shown.
create table change_feedback (
  change_id uuid not null references changes (id),
  participation_id uuid not null references participations (id),
  question_id uuid not null,
  question text not null,
  quote text not null,
  result text check (result in ('WORKS', 'STILL_BROKEN')),
  note text,
  answered_at timestamptz,
  -- A later version answers the same, so nobody has to look at this one.
  withdrawn_at timestamptz,
  primary key (change_id, participation_id, question_id),
  check ((result is null) = (answered_at is null)),
  check (result is null or withdrawn_at is null)
);
create index change_feedback_of_participation on change_feedback (participation_id, change_id, question_id);
create index change_feedback_open on change_feedback (participation_id) where result is null and withdrawn_at is null;

alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'LIST_EXPORTED', 'LIST_CONFIRMED', 'FORM_SAVED', 'APPLIED', 'SEAT_CLOSED',
  'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'TESTER_LISTED', 'TESTER_OPTED_IN', 'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED', 'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED',
  'TESTER_REJECTED', 'TESTER_APPEALED', 'APPEAL_GRANTED', 'REJECTION_UPHELD', 'REJECTION_FINAL', 'TESTER_LEFT',
  'TESTER_DROPPED', 'TESTER_CANCELLED'));
