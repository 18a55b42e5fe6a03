-- Whose rejections are overturned too often needs an admin's consent for further ones.

alter table settings add column consent_after_overturned int not null default 3 check (consent_after_overturned between 1 and 100);
alter table settings add column consent_of_last int not null default 10 check (consent_of_last between 1 and 100);
alter table settings add constraint settings_consent_check check (consent_after_overturned <= consent_of_last);

-- Who rejected: granting the appeal names its admin on the test. Before, nothing tells it from the campaign's owner.
alter table appeals add column rejected_by uuid references users (id);
update appeals a set rejected_by = case when a.outcome = 'VERIFIED' or p.reviewed_by is null then c.developer_id else p.reviewed_by end
  from participations p join campaigns c on c.id = p.campaign_id where p.id = a.participation_id;
create index appeals_rejected_by on appeals (rejected_by);

-- A rejection that waits for consent. The proof stays submitted, and its time goes on.
create table rejection_requests (
  -- The order of the queue.
  seq bigint generated always as identity primary key,
  participation_id uuid not null references participations (id),
  requested_at timestamptz not null,
  code text not null,
  reason text not null,
  -- LAPSED: the proof was verified, by silence or by the developer, or changes were requested.
  outcome text check (outcome in ('CONSENTED', 'REFUSED', 'LAPSED')),
  decided_at timestamptz,
  decided_by uuid references users (id),
  -- The developer reads it.
  note text,
  check ((outcome is null) = (decided_at is null)),
  check ((note is not null) = coalesce(outcome in ('CONSENTED', 'REFUSED'), false)),
  check ((decided_by is not null) = (note is not null))
);
create unique index rejection_requests_one_waits on rejection_requests (participation_id) where outcome is null;
create index rejection_requests_of_test on rejection_requests (participation_id, seq desc);
create index rejection_requests_waiting on rejection_requests (seq) where outcome is null;
create index rejection_requests_decided_by on rejection_requests (decided_by) where decided_by is not null;

create function lapse_rejection_request() returns trigger language plpgsql as $$
begin
  update rejection_requests set outcome = 'LAPSED', decided_at = coalesce(new.closed_at, new.reviewed_at)
    where participation_id = new.id and outcome is null;
  return null;
end $$;
create trigger participations_lapse_request after update on participations for each row
  when (old.status = 'SUBMITTED' and new.status <> 'SUBMITTED') execute function lapse_rejection_request();

create function tell_of_rejection_request() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select c.developer_id, 'CAMPAIGN', c.id from participations p join campaigns c on c.id = p.campaign_id
    where p.id = new.participation_id;
  return null;
end $$;
create trigger rejection_requests_tell_admins after insert or update on rejection_requests for each row
  execute function tell_admins();
create trigger rejection_requests_tell_owner after insert or update on rejection_requests for each row
  execute function tell_of_rejection_request();
