-- An appeal that nobody decides for seven days is paid by the platform.

alter table appeals add column wake_at timestamptz;
-- How many of the admins' alerts were sent.
alter table appeals add column alerts_sent smallint not null default 0;
-- Why the platform does not pay although it is due; null before, and once it is decided.
alter table appeals add column held_for text
  check (held_for in ('FRAUD', 'SUSPENDED', 'DEVELOPER_LIMIT', 'TOTAL_LIMIT', 'REVENUE'));
update appeals set wake_at = appealed_at + interval '3 days' where outcome is null;
alter table appeals add constraint appeals_wakes_while_undecided check ((outcome is null) = (wake_at is not null));
alter table appeals add constraint appeals_held_while_undecided check (held_for is null or outcome is null);

-- PLATFORM: nobody decided. Neither side was found right, and nobody wrote a note.
alter table appeals drop constraint appeals_outcome_check;
alter table appeals add constraint appeals_outcome_check check (outcome in ('VERIFIED', 'UPHELD', 'PLATFORM'));
alter table appeals drop constraint appeals_check1;
alter table appeals add constraint appeals_note_of_decision check ((note is not null) = coalesce(outcome in ('VERIFIED', 'UPHELD'), false));
create index appeals_due on appeals (wake_at, participation_id) where outcome is null;
-- What the platform has paid this month.
create index appeals_paid_by_platform on appeals (decided_at) where outcome = 'PLATFORM';

alter table settings add column goodwill_per_developer_cents bigint not null default 20000
  check (goodwill_per_developer_cents between 0 and 10000000);
alter table settings add column goodwill_in_all_cents bigint not null default 200000
  check (goodwill_in_all_cents between 0 and 100000000);

alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'BUG', 'APPEAL', 'WITHDRAWAL', 'ACCOUNT'));

alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'LIST_EXPORTED', 'LIST_CONFIRMED', 'APPLIED', 'SEAT_CLOSED',
  'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'TESTER_LISTED', 'TESTER_OPTED_IN', 'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED', 'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED',
  'TESTER_REJECTED', 'TESTER_APPEALED', 'APPEAL_GRANTED', 'REJECTION_UPHELD', 'REJECTION_FINAL', 'GOODWILL_PAID',
  'TESTER_LEFT', 'TESTER_DROPPED', 'TESTER_CANCELLED'));

-- Without an `else` on purpose: a new status cannot be reached until it has its event here.
create or replace function record_participation_status() returns trigger language plpgsql as $$
declare
  kind text;
  facts jsonb := jsonb_build_object('ordinal', new.ordinal);
  happened_at timestamptz := new.closed_at;
  appealed boolean := tg_op = 'UPDATE' and old.status = 'APPEALED';
begin
  case new.status
    when 'ACTIVE' then
      kind := 'TESTER_JOINED';
      happened_at := new.joined_at;
    when 'SUBMITTED' then
      kind := 'PROOF_SUBMITTED';
      happened_at := new.proof_submitted_at;
    when 'CHANGES_REQUESTED' then
      kind := 'CHANGES_REQUESTED';
      happened_at := new.reviewed_at;
      facts := facts || jsonb_build_object('reason', new.review_note);
    when 'VERIFIED' then
      kind := 'TESTER_VERIFIED';
      if appealed then
        select case outcome when 'PLATFORM' then 'GOODWILL_PAID' else 'APPEAL_GRANTED' end into strict kind
          from appeals where participation_id = new.id;
      end if;
      facts := facts || jsonb_build_object('amountCents', new.payout_amount_cents,
        'bySilence', new.reviewed_by is null and kind = 'TESTER_VERIFIED');
    when 'REJECTED' then
      if appealed then
        kind := 'REJECTION_UPHELD';
      elsif new.closed_at is not null then
        kind := 'REJECTION_FINAL';
      else
        kind := 'TESTER_REJECTED';
        happened_at := new.reviewed_at;
        -- Says that the seat is not free yet; older events have none.
        facts := facts || jsonb_build_object('code', new.rejection_code, 'reason', new.rejection_reason, 'appealBy', new.wake_at);
      end if;
    when 'APPEALED' then
      kind := 'TESTER_APPEALED';
      select appealed_at, facts || jsonb_build_object('reason', reason) into strict happened_at, facts
        from appeals where participation_id = new.id;
    when 'DROPPED' then
      kind := case when new.drop_reason = 'LEFT' then 'TESTER_LEFT' else 'TESTER_DROPPED' end;
      facts := facts || jsonb_build_object('dropReason', new.drop_reason);
    when 'CANCELLED' then
      kind := 'TESTER_CANCELLED';
      facts := facts || jsonb_build_object('amountCents', new.payout_amount_cents);
  end case;
  if appealed then
    select facts || jsonb_build_object('reason', note) into strict facts from appeals where participation_id = new.id;
  end if;
  insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    values (new.campaign_id, new.id, happened_at, kind, facts);
  return null;
end $$;
