-- Each submission of a proof records which text it had, so that whoever submits the same text again keeps the first place
-- (docs/decisions/066-near-proofs.md).
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
  insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    values (new.campaign_id, new.id, happened_at, kind, facts);
  return null;
end $$;
