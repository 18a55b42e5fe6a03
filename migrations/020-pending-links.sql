-- A link that is changed while testers may be inside waits for an admin. They keep the old one until then.

alter table campaigns
  add column pending_link text,
  add column link_requested_at timestamptz,
  -- Its place among all requests, by a sequence and not by the servers' clocks (decision 005). It stays after the decision,
  -- so that a page of the admins' list can go on from there.
  add column link_request bigint,
  add check (pending_link is null
    or (link_requested_at is not null and link_request is not null and status in ('LIVE', 'PAUSED')));
create sequence campaign_link_requests;
create index campaigns_pending_link on campaigns (link_request) where pending_link is not null;

-- A campaign that ends takes its waiting link along, whichever way it ends.
create function forget_pending_link() returns trigger language plpgsql as $$
begin
  new.pending_link := null;
  return new;
end $$;
create trigger campaigns_pending_link_forgotten before update of status on campaigns for each row
  when (new.status not in ('LIVE', 'PAUSED')) execute function forget_pending_link();

alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED',
  'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED', 'TESTER_REJECTED', 'TESTER_LEFT', 'TESTER_DROPPED',
  'TESTER_CANCELLED'));
