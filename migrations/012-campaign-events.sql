-- What happened to a campaign and to the tests in it: the activity of its screen, and the time line of one test.
-- Triggers write it, so that no statement that changes a state can forget to.

create table campaign_events (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns (id),
  -- The test it happened to, if it did not happen to the campaign itself.
  participation_id uuid references participations (id),
  at timestamptz not null,
  kind text not null check (kind in ('CREATED', 'EDITED', 'PAID', 'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED',
    'STARTED', 'PAUSED', 'RESUMED', 'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'PROOF_SUBMITTED',
    'CHANGES_REQUESTED', 'TESTER_VERIFIED', 'TESTER_REJECTED', 'TESTER_LEFT', 'TESTER_DROPPED', 'TESTER_CANCELLED')),
  -- Amounts, reasons and the tester's ordinal, as they were then.
  facts jsonb not null default '{}'
);
-- Newest first, of a campaign or of one test: each page is one walk of its index.
create index campaign_events_of_campaign on campaign_events (campaign_id, id desc);
create index campaign_events_of_test on campaign_events (participation_id, id desc) where participation_id is not null;
create trigger campaign_events_append_only before update or delete or truncate on campaign_events
  for each statement execute function refuse_change();

-- Since when it is in its state. Whoever changes the state has to say when: the trigger refuses what does not.
alter table campaigns add column status_since timestamptz;
-- Whether the statement at work named status_since (also with the same millisecond as before); false in every stored row.
alter table campaigns add column status_since_named boolean not null default false;
update campaigns set status_since = coalesce(closed_at, case when status = 'LIVE' then start_date end, submitted_at, created_at);

create function name_status_since() returns trigger language plpgsql as $$
begin
  new.status_since_named := true;
  return new;
end $$;
-- Fires only for a statement that sets the column, and by its name before the one that records.
create trigger campaigns_a_status_since_named before update of status_since on campaigns
  for each row when (old.status is distinct from new.status) execute function name_status_since();

create function record_campaign_status() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.status_since := new.created_at;
    return new;
  end if;
  if new.status_since is null or not new.status_since_named then
    raise exception 'campaign % goes from % to % without a new status_since', new.id, old.status, new.status;
  end if;
  new.status_since_named := false;
  -- An edit leads back to a draft, and is recorded as the edit that it is.
  if new.status = 'DRAFT' then return new; end if;
  insert into campaign_events (campaign_id, at, kind, facts) values (new.id, new.status_since,
    case new.status
      when 'PENDING_APPROVAL' then 'SUBMITTED'
      when 'LIVE' then case when old.status = 'PAUSED' then 'RESUMED' else 'STARTED' end
      else new.status
    end,
    case when new.status = 'REJECTED' then jsonb_build_object('reason', new.rejection_reason) else '{}' end);
  return new;
end $$;
create trigger campaigns_dated before insert on campaigns for each row execute function record_campaign_status();
create trigger campaigns_status_recorded before update on campaigns for each row
  when (old.status is distinct from new.status) execute function record_campaign_status();

create function record_campaign_creation() returns trigger language plpgsql as $$
begin
  insert into campaign_events (campaign_id, at, kind) values (new.id, new.created_at, 'CREATED');
  return null;
end $$;
create trigger campaigns_creation_recorded after insert on campaigns for each row
  execute function record_campaign_creation();

create function record_payment() returns trigger language plpgsql as $$
begin
  insert into campaign_events (campaign_id, at, kind, facts) values (new.campaign_id, new.created_at,
    case when new.status = 'COMPLETED' then 'PAID' else 'PAYMENT_DECLINED' end,
    jsonb_strip_nulls(jsonb_build_object('amountCents', new.amount_cents, 'reason', new.failure_reason)));
  return null;
end $$;
create trigger payments_recorded after insert on payments for each row execute function record_payment();

create function record_refund() returns trigger language plpgsql as $$
begin
  insert into campaign_events (campaign_id, at, kind, facts)
    values (new.campaign_id, new.created_at, 'REFUNDED', jsonb_build_object('amountCents', new.amount_cents));
  return null;
end $$;
create trigger refunds_recorded after insert on refunds for each row execute function record_refund();

-- Without an `else` on purpose: a new state of a test has to be given its event before it can be reached.
create function record_participation_status() returns trigger language plpgsql as $$
declare
  kind text;
  facts jsonb := jsonb_build_object('ordinal', new.ordinal);
begin
  case new.status
    when 'ACTIVE' then kind := 'TESTER_JOINED';
    when 'SUBMITTED' then kind := 'PROOF_SUBMITTED';
    when 'CHANGES_REQUESTED' then
      kind := 'CHANGES_REQUESTED';
      facts := facts || jsonb_build_object('reason', new.review_note);
    when 'VERIFIED' then
      kind := 'TESTER_VERIFIED';
      facts := facts || jsonb_build_object('amountCents', new.payout_amount_cents, 'bySilence', new.reviewed_by is null);
    when 'REJECTED' then
      kind := 'TESTER_REJECTED';
      facts := facts || jsonb_build_object('code', new.rejection_code, 'reason', new.rejection_reason);
    when 'DROPPED' then
      kind := case when new.drop_reason = 'LEFT' then 'TESTER_LEFT' else 'TESTER_DROPPED' end;
      facts := facts || jsonb_build_object('dropReason', new.drop_reason);
    when 'CANCELLED' then
      kind := 'TESTER_CANCELLED';
      facts := facts || jsonb_build_object('amountCents', new.payout_amount_cents);
  end case;
  insert into campaign_events (campaign_id, participation_id, at, kind, facts) values (new.campaign_id, new.id,
    case kind when 'TESTER_JOINED' then new.joined_at when 'PROOF_SUBMITTED' then new.proof_submitted_at
      when 'CHANGES_REQUESTED' then new.reviewed_at else new.closed_at end, kind, facts);
  return null;
end $$;
create trigger participations_joining_recorded after insert on participations for each row
  execute function record_participation_status();
create trigger participations_status_recorded after update on participations for each row
  when (old.status is distinct from new.status) execute function record_participation_status();

-- What is known of the time before this table.
insert into campaign_events (campaign_id, participation_id, at, kind, facts)
  select known.* from (
    select id as campaign_id, null::uuid as participation_id, created_at as at, 'CREATED' as kind, '{}'::jsonb as facts from campaigns
    union all select id, null, submitted_at, 'SUBMITTED', '{}' from campaigns where submitted_at is not null
    union all select id, null, start_date, 'STARTED', '{}' from campaigns where start_date is not null
    union all select id, null, closed_at, status, '{}' from campaigns where closed_at is not null
    union all select campaign_id, null, created_at, case when status = 'COMPLETED' then 'PAID' else 'PAYMENT_DECLINED' end,
      jsonb_strip_nulls(jsonb_build_object('amountCents', amount_cents, 'reason', failure_reason)) from payments
    union all select campaign_id, null, created_at, 'REFUNDED', jsonb_build_object('amountCents', amount_cents) from refunds
    union all select campaign_id, id, joined_at, 'TESTER_JOINED', jsonb_build_object('ordinal', ordinal) from participations
    union all select campaign_id, id, proof_submitted_at, 'PROOF_SUBMITTED', jsonb_build_object('ordinal', ordinal)
      from participations where proof_submitted_at is not null
    union all select campaign_id, id, closed_at,
      case status when 'DROPPED' then case when drop_reason = 'LEFT' then 'TESTER_LEFT' else 'TESTER_DROPPED' end
        else 'TESTER_' || status end,
      jsonb_strip_nulls(jsonb_build_object('ordinal', ordinal, 'code', rejection_code, 'reason', rejection_reason,
        'dropReason', drop_reason, 'bySilence', case when status = 'VERIFIED' then reviewed_by is null end,
        'amountCents', case when status in ('VERIFIED', 'CANCELLED') then payout_amount_cents end))
      from participations where closed_at is not null
  ) known order by known.at;

alter table campaigns alter column status_since set not null;

-- As in 005, and each says since when the campaign is in its new state.
create or replace function change_campaign_terms(p_campaign uuid, p_platform text, p_testers int, p_pay bigint, p_days int,
  p_quoted_fee bigint, p_daily_check_in boolean, p_countries text[], p_country_codes text[], p_min_android text,
  p_min_ios text, p_title text, p_description text, p_link text, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  update campaigns set platform = p_platform, testers_required = p_testers, pay_per_tester_cents = p_pay,
    duration_days = p_days, quoted_fee_cents = p_quoted_fee, daily_check_in = p_daily_check_in,
    countries = p_countries, country_codes = p_country_codes, min_android_version = p_min_android,
    min_ios_version = p_min_ios, title = p_title, description = p_description, distribution_link = p_link,
    status = 'DRAFT', status_since = case when status = 'DRAFT' then status_since else p_now end,
    rejection_reason = null
    where id = p_campaign and status in ('DRAFT', 'REJECTED');
  if not found then return 'WRONG_STATE'; end if;
  perform refund_surplus(p_refund, p_campaign, p_testers * p_pay, p_quoted_fee, p_now);
  return 'OK';
end $$;

create or replace function cancel_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
  days int;
  pay bigint;
begin
  select * into c from campaigns where id = p_campaign for update;
  if not found then return 'NOT_FOUND'; end if;
  if c.status in ('COMPLETED', 'CANCELLED') then return 'WRONG_STATE'; end if;
  for p in select * from participations where campaign_id = p_campaign and status = 'ACTIVE'
    order by tester_id for update
  loop
    days := least(p.check_in_count, c.duration_days);
    pay := c.pay_per_tester_cents * days / c.duration_days;
    perform pay_tester('cancel-pay:' || p.id, c, p.tester_id, pay,
      format('Cancelled test, %s of %s days', days, c.duration_days), p_now);
    update participations set status = 'CANCELLED', payout_amount_cents = pay, closed_at = p_now, wake_at = null,
      at_risk = false where id = p.id;
    update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = p_campaign;
  end loop;
  update campaigns set status = 'CANCELLED', status_since = p_now, closed_at = p_now, rejection_reason = null
    where id = p_campaign;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;

create or replace function complete_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  update campaigns set status = 'COMPLETED', status_since = p_now, closed_at = p_now
    where id = p_campaign and status in ('LIVE', 'PAUSED') and open_testers = 0
      and (verified_testers = testers_required or end_date <= p_now);
  if not found then return 'WRONG_STATE'; end if;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;
