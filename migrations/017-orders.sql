-- Orders between rows that different servers write. Their clocks differ, so each is a sequence and not a time (decision 005).

-- Which campaign has waited longest for approval: given at each submission by the trigger that records it.
create sequence campaign_submissions;
alter table campaigns add column submission bigint;
update campaigns set submission = placed.place
  from (select id, row_number() over (order by submitted_at, id) as place from campaigns where submitted_at is not null) placed
  where placed.id = campaigns.id;
select setval('campaign_submissions', coalesce(max(submission), 0) + 1, false) from campaigns;
drop index campaigns_pending;
create index campaigns_pending on campaigns (submission) where status = 'PENDING_APPROVAL';

create or replace function record_campaign_status() returns trigger language plpgsql as $$
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
  if new.status = 'PENDING_APPROVAL' then new.submission := nextval('campaign_submissions'); end if;
  insert into campaign_events (campaign_id, at, kind, facts) values (new.id, changed_at,
    case new.status
      when 'PENDING_APPROVAL' then 'SUBMITTED'
      when 'LIVE' then case when old.status = 'PAUSED' then 'RESUMED' else 'STARTED' end
      else new.status
    end,
    case when new.status = 'REJECTED' then jsonb_build_object('reason', new.rejection_reason) else '{}' end);
  return new;
end $$;

-- Who came to a device first: sign-ins and joins in one order.
create sequence device_uses_seq;
alter table sessions add column device_seq bigint;
alter table participations add column device_seq bigint;
create temp table placed on commit drop as
  select id, row_number() over (order by at, id) as place
  from (select id, created_at as at from sessions union all select id, joined_at from participations) uses;
update sessions set device_seq = placed.place from placed where placed.id = sessions.id;
update participations set device_seq = placed.place from placed where placed.id = participations.id;
select setval('device_uses_seq', coalesce(max(place), 0) + 1, false) from placed;
alter table sessions alter column device_seq set default nextval('device_uses_seq');
alter table sessions alter column device_seq set not null;
alter table participations alter column device_seq set default nextval('device_uses_seq');
alter table participations alter column device_seq set not null;
create or replace view device_uses as
  select device_fingerprint as device, user_id, created_at as at, device_seq as seq
    from sessions where device_fingerprint <> ''
  union all
  select device_fingerprint, tester_id, joined_at, device_seq from participations where device_fingerprint <> '';
drop index sessions_by_device;
create index sessions_by_device on sessions (device_fingerprint, user_id, created_at) include (device_seq)
  where device_fingerprint <> '';
drop index participations_by_device;
create index participations_by_device on participations (device_fingerprint, tester_id, joined_at) include (device_seq)
  where device_fingerprint <> '';

-- Which scan was the last.
alter table fraud_scans add column seq bigint;
update fraud_scans set seq = placed.place
  from (select id, row_number() over (order by requested_at, id) as place from fraud_scans) placed
  where placed.id = fraud_scans.id;
alter table fraud_scans alter column seq set not null;
alter table fraud_scans alter column seq add generated always as identity;
select setval(pg_get_serial_sequence('fraud_scans', 'seq'), coalesce(max(seq), 0) + 1, false) from fraud_scans;
create index fraud_scans_ended on fraud_scans (seq desc) where state in ('DONE', 'FAILED');
