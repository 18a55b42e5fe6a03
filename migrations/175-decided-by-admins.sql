-- The activity says where an admin, and not the owner, has paused a campaign or decided on a proof. Who paused a campaign is kept
-- while it is paused: null for its owner.
alter table campaigns add column paused_by text;
alter table campaigns add constraint campaigns_paused_by_check check (paused_by is null
  or (status = 'PAUSED' and paused_by in ('ADMIN', 'SUSPENSION'))) not valid;

create or replace function record_campaign_status() returns trigger language plpgsql as $$
declare
  changed_at timestamptz := new.status_changed_at;
begin
  new.status_changed_at := null;
  if new.status <> 'PAUSED' then new.paused_by := null; end if;
  if new.status = old.status then return new; end if;
  if changed_at is null then
    raise exception 'campaign % goes from % to % without status_changed_at', new.id, old.status, new.status;
  end if;
  -- An edit turns the campaign into a draft again; its use case records the edit itself.
  if new.status = 'DRAFT' then return new; end if;
  if new.status = 'PENDING_APPROVAL' then new.submission := nextval('campaign_submissions'); end if;
  insert into campaign_events (campaign_id, at, kind, facts) values (new.id, changed_at,
    case new.status
      when 'PENDING_APPROVAL' then 'SUBMITTED'
      when 'LIVE' then case when old.status = 'PAUSED' then 'RESUMED' else 'STARTED' end
      else new.status
    end,
    case new.status
      when 'REJECTED' then jsonb_build_object('reason', new.rejection_reason)
      when 'PAUSED' then jsonb_strip_nulls(jsonb_build_object('by', new.paused_by))
      else '{}'
    end);
  return new;
end $$;

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
      -- Null for a short text; older events have no key at all.
      facts := facts || jsonb_build_object('proofKey', new.proof_key);
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
  if kind in ('CHANGES_REQUESTED', 'TESTER_VERIFIED', 'TESTER_REJECTED')
      and exists (select from campaigns where id = new.campaign_id and developer_id <> new.reviewed_by) then
    facts := facts || jsonb_build_object('by', 'ADMIN');
  end if;
  insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    values (new.campaign_id, new.id, happened_at, kind, facts);
  return null;
end $$;
