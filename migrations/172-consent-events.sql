-- The activity holds what became of a rejection that needs an admin's consent. Only a campaign's owner and admins read it: the
-- events name the test's alias and not the test, whose own activity its tester reads (decision 039).
alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'LIST_EXPORTED', 'LIST_CONFIRMED', 'FORM_SAVED', 'APPLIED', 'SEAT_CLOSED',
  'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'TESTER_LISTED', 'TESTER_NOT_LET_IN', 'TESTER_OPTED_IN', 'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED', 'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED',
  'TESTER_REJECTED', 'TESTER_APPEALED', 'APPEAL_GRANTED', 'REJECTION_UPHELD', 'REJECTION_FINAL', 'GOODWILL_PAID',
  'TESTER_LEFT', 'TESTER_DROPPED', 'TESTER_CANCELLED', 'CONSENT_ASKED', 'CONSENT_GIVEN', 'CONSENT_REFUSED',
  'CONSENT_LAPSED')) not valid;

-- A request that lapses because its developer has verified or asked for changes has that event: only time is told here.
create function record_rejection_request() returns trigger language plpgsql as $$
begin
  insert into campaign_events (campaign_id, at, kind, facts)
    select p.campaign_id, coalesce(new.decided_at, new.requested_at),
      case new.outcome when 'CONSENTED' then 'CONSENT_GIVEN' when 'REFUSED' then 'CONSENT_REFUSED'
        when 'LAPSED' then 'CONSENT_LAPSED' else 'CONSENT_ASKED' end,
      jsonb_build_object('ordinal', p.ordinal) || case when new.outcome is null
        then jsonb_build_object('code', new.code, 'reason', new.reason) else jsonb_build_object('reason', new.note) end
    from participations p where p.id = new.participation_id
      and (new.outcome is distinct from 'LAPSED' or p.status = 'VERIFIED' and p.reviewed_by is null);
  return null;
end $$;
create trigger rejection_requests_recorded after insert on rejection_requests for each row
  execute function record_rejection_request();
create trigger rejection_requests_outcome_recorded after update on rejection_requests for each row
  when (old.outcome is distinct from new.outcome) execute function record_rejection_request();
