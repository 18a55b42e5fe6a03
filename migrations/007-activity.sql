-- What happened to a campaign and to the participations in it: the activity of its screen, and the time line of one
-- test. Triggers write it, so that no statement that changes a status can forget to.

create table campaign_events (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns (id),
  -- Null for what happened to the campaign itself.
  participation_id uuid references participations (id),
  at timestamptz not null,
  kind text not null check (kind in ('CREATED', 'EDITED', 'PAID', 'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED',
    'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED',
    'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED', 'TESTER_REJECTED', 'TESTER_LEFT', 'TESTER_DROPPED',
    'TESTER_CANCELLED')),
  -- Amounts, reasons and the tester's ordinal, as they were then.
  facts jsonb not null default '{}'
);
-- Newest first, of a campaign or of one participation: each page is one walk of its index.
create index campaign_events_of_campaign on campaign_events (campaign_id, id desc);
create index campaign_events_of_test on campaign_events (participation_id, id desc) where participation_id is not null;
create trigger campaign_events_append_only before update or delete or truncate on campaign_events
  for each statement execute function refuse_change();

-- Records a change of status, and refuses one that does not say when.
create function record_campaign_status() returns trigger language plpgsql as $$
declare
  changed_at timestamptz := new.status_changed_at;
begin
  new.status_changed_at := null;
  if new.status = old.status then return new; end if;
  if changed_at is null then
    raise exception 'campaign % goes from % to % without status_changed_at', new.id, old.status, new.status;
  end if;
  -- An edit turns the campaign into a draft again; its use case records the edit itself.
  if new.status = 'DRAFT' then return new; end if;
  insert into campaign_events (campaign_id, at, kind, facts) values (new.id, changed_at,
    case new.status
      when 'PENDING_APPROVAL' then 'SUBMITTED'
      when 'LIVE' then case when old.status = 'PAUSED' then 'RESUMED' else 'STARTED' end
      else new.status
    end,
    case when new.status = 'REJECTED' then jsonb_build_object('reason', new.rejection_reason) else '{}' end);
  return new;
end $$;
create trigger campaigns_status_recorded before update of status on campaigns for each row
  execute function record_campaign_status();

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

-- Without an `else` on purpose: a new status cannot be reached until it has its event here.
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
