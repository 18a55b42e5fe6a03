-- A rejected proof keeps its seat, pay and fee frozen until 72 hours have passed without an appeal, or an admin has decided on it.

alter table participations drop constraint participations_status_check;
alter table participations add constraint participations_status_check check (status in
  ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'VERIFIED', 'REJECTED', 'APPEALED', 'DROPPED', 'CANCELLED'));
-- A rejection is open while its seat is frozen; an appeal always is. Neither waits for anybody but the clock and an admin.
alter table participations drop constraint participations_check;
alter table participations add constraint participations_check check (case
  when status = 'REJECTED' then true
  else (status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'APPEALED')) = (closed_at is null) end);
alter table participations drop constraint participations_check1;
alter table participations add constraint participations_check1 check (case
  when status = 'APPEALED' then wake_at is null
  else (closed_at is null) = (wake_at is not null) end);
-- A proof that was rejected and then verified keeps what was held against it.
alter table participations drop constraint participations_check3;
alter table participations add constraint participations_check3 check (
  (rejection_code is null) = (rejection_reason is null)
  and case when status in ('REJECTED', 'APPEALED') then rejection_code is not null
    else rejection_code is null or status = 'VERIFIED' end);
-- For the money card of a campaign.
create index participations_frozen on participations (campaign_id) include (status, wake_at)
  where closed_at is null and status in ('REJECTED', 'APPEALED');

-- Once for each rejection, and a test is rejected once.
create table appeals (
  participation_id uuid primary key references participations (id),
  -- The order of the queue.
  seq bigint generated always as identity,
  appealed_at timestamptz not null,
  reason text not null,
  outcome text check (outcome in ('VERIFIED', 'UPHELD')),
  decided_at timestamptz,
  decided_by uuid references users (id),
  -- Both sides read it.
  note text,
  check ((outcome is null) = (decided_at is null)),
  check ((outcome is null) = (note is null))
);
create index appeals_undecided on appeals (seq) where outcome is null;
create index appeals_decided_by on appeals (decided_by) where decided_by is not null;

alter table attachments drop constraint attachments_kind_check;
alter table attachments add constraint attachments_kind_check check (kind in ('PROOF', 'CHECK_IN', 'OPT_IN', 'BUG', 'APPEAL'));

alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'LIST_EXPORTED', 'LIST_CONFIRMED', 'APPLIED', 'SEAT_CLOSED',
  'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'TESTER_LISTED', 'TESTER_OPTED_IN', 'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED', 'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED',
  'TESTER_REJECTED', 'TESTER_APPEALED', 'APPEAL_GRANTED', 'REJECTION_UPHELD', 'REJECTION_FINAL', 'TESTER_LEFT',
  'TESTER_DROPPED', 'TESTER_CANCELLED'));

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
      kind := case when appealed then 'APPEAL_GRANTED' else 'TESTER_VERIFIED' end;
      facts := facts || jsonb_build_object('amountCents', new.payout_amount_cents, 'bySilence', new.reviewed_by is null);
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
drop trigger participations_status_recorded on participations;
create trigger participations_status_recorded after update on participations for each row
  when (old.status is distinct from new.status or (new.status = 'REJECTED' and old.closed_at is null and new.closed_at is not null))
  execute function record_participation_status();

-- The run of a frozen seat goes on: whoever is verified in the end has not lost it.
drop trigger participations_end_their_run on participations;
create trigger participations_end_their_run after update on participations for each row
  when (new.opted_in_at is not null and old.closed_at is null and new.closed_at is not null
    and new.status in ('DROPPED', 'REJECTED', 'CANCELLED'))
  execute function end_opt_in_run();
create or replace function end_runs_of_cancelled_campaign() returns trigger language plpgsql as $$
begin
  update opt_in_runs set ended_at = greatest(new.closed_at, started_at), end_reason = 'CANCELLED'
    where campaign_id = new.id and ended_at is null;
  update participations set opted_in_at = null, opted_out_at = new.closed_at
    where campaign_id = new.id and opted_in_at is not null
      and (status in ('SUBMITTED', 'CHANGES_REQUESTED', 'VERIFIED') or (status in ('REJECTED', 'APPEALED') and closed_at is null));
  return null;
end $$;

-- A rejection closes nothing any more, so closing needs no reviewer, no code and no reason.
drop function if exists close_all_unpaid(uuid[], text[], text, uuid, text, text, text[], boolean, uuid[], timestamptz);
drop function if exists close_unpaid(uuid, text[], text, uuid, text, text, text, boolean, uuid, timestamptz);
