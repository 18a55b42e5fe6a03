-- What has changed for whom, so that open screens can ask again (decision 040). Triggers write the rows in the transaction of
-- their cause, so that no statement can forget to. They carry no content: a reader asks for it, with its own access.
create table user_events (
  -- Cursors go by the transaction first: read below the oldest one still open, their order is the order of visibility.
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  user_id uuid not null,
  topic text not null check (topic in ('CAMPAIGN', 'TEST', 'BUG', 'MONEY', 'NOTICES', 'QUEUE')),
  -- Of the campaign, the test or the bug.
  subject_id uuid,
  at timestamptz not null default now(),
  primary key (tx, id)
);
create index user_events_of_user on user_events (user_id, tx, id);
-- Up to which transaction events have been deleted: a cursor from before may have missed some.
create table user_events_forgotten (up_to xid8 not null);
insert into user_events_forgotten values ('0');

create function tell_admins() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic) select id, 'QUEUE' from users where role = 'ADMIN' and deleted_at is null;
  return null;
end $$;

-- The owner of a campaign, and those inside it.
create function tell_all_of_campaign(p_campaign uuid, p_topic text) returns void language sql as $$
  insert into user_events (user_id, topic, subject_id)
    select developer_id, p_topic, id from campaigns where id = p_campaign
    union all
    select tester_id, 'TEST', id from participations where campaign_id = p_campaign and closed_at is null;
$$;

-- Rows come one by one here, and most name a test: for these it is a single short statement.
create function tell_of_campaign_event() returns trigger language plpgsql as $$
begin
  if new.participation_id is not null then
    insert into user_events (user_id, topic, subject_id)
      select developer_id, 'CAMPAIGN', id from campaigns where id = new.campaign_id
      union all
      select tester_id, 'TEST', id from participations where id = new.participation_id;
  elsif new.kind in ('EDITED', 'PAUSED', 'RESUMED', 'CANCELLED', 'COMPLETED', 'LINK_APPROVED') then
    perform tell_all_of_campaign(new.campaign_id, 'CAMPAIGN');
  else
    insert into user_events (user_id, topic, subject_id)
      select developer_id, 'CAMPAIGN', id from campaigns where id = new.campaign_id;
  end if;
  return null;
end $$;
create trigger campaign_events_told after insert on campaign_events for each row execute function tell_of_campaign_event();
create trigger campaign_events_queued after insert on campaign_events for each row
  when (new.kind in ('SUBMITTED', 'APPROVED', 'REJECTED', 'CANCELLED', 'LINK_REQUESTED', 'LINK_WITHDRAWN', 'LINK_APPROVED',
    'LINK_REJECTED', 'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED'))
  execute function tell_admins();

create function tell_of_check_in() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select told.* from participations p join campaigns c on c.id = p.campaign_id
      cross join lateral (values (c.developer_id, 'CAMPAIGN', c.id), (p.tester_id, 'TEST', p.id)) told
      where p.id = new.participation_id;
  return null;
end $$;
create trigger check_ins_told after insert on check_ins for each row execute function tell_of_check_in();

-- What roster and list show, and no event of the campaign tells.
create function tell_of_participation() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select developer_id, 'CAMPAIGN', id from campaigns where id = new.campaign_id
    union all select new.tester_id, 'TEST', new.id;
  return null;
end $$;
create trigger participations_told after update on participations for each row
  when (old.at_risk is distinct from new.at_risk or old.proof_warned is distinct from new.proof_warned
    or old.link_opened_at is distinct from new.link_opened_at or old.listed_at is distinct from new.listed_at
    or old.unlisted_at is distinct from new.unlisted_at or old.nda_accepted is distinct from new.nda_accepted)
  execute function tell_of_participation();

-- A place in the line, and a seat that is held.
create function tell_of_bench() returns trigger language plpgsql as $$
declare
  e bench_entries := case when tg_op = 'DELETE' then old else new end;
begin
  insert into user_events (user_id, topic, subject_id)
    select developer_id, 'CAMPAIGN', id from campaigns where id = e.campaign_id
    union all select e.tester_id, 'TEST', e.id;
  return null;
end $$;
create trigger bench_entries_told after insert or delete on bench_entries for each row execute function tell_of_bench();
create trigger bench_offers_told after update on bench_entries for each row
  when (old.offered_at is distinct from new.offered_at) execute function tell_of_bench();

create function tell_of_nda() returns trigger language plpgsql as $$
begin
  perform tell_all_of_campaign(new.id, 'CAMPAIGN');
  return null;
end $$;
create trigger campaigns_nda_told after update of nda_version on campaigns for each row
  when (old.nda_version is distinct from new.nda_version) execute function tell_of_nda();

create function tell_of_bug() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select told.* from bugs b join participations p on p.id = b.participation_id join campaigns c on c.id = b.campaign_id
      cross join lateral (values (c.developer_id, 'BUG', b.id), (p.tester_id, 'BUG', b.id)) told
      where b.id = new.bug_id;
  return null;
end $$;
create trigger bug_events_told after insert on bug_events for each row execute function tell_of_bug();
create trigger bug_retests_told after insert or update on bug_retests for each row execute function tell_of_bug();

create function tell_of_version() returns trigger language plpgsql as $$
begin
  perform tell_all_of_campaign(new.campaign_id, 'BUG');
  return null;
end $$;
create trigger versions_told after insert on versions for each row execute function tell_of_version();

create function tell_owners() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic) select distinct user_id, tg_argv[0] from changed;
  return null;
end $$;
create trigger notifications_told after insert on notifications referencing new table as changed
  for each statement execute function tell_owners('NOTICES');
create trigger notifications_read_told after update on notifications referencing new table as changed
  for each statement execute function tell_owners('NOTICES');
create trigger transactions_told after insert on transactions referencing new table as changed
  for each statement execute function tell_owners('MONEY');
create trigger transactions_settled_told after update on transactions referencing new table as changed
  for each statement execute function tell_owners('MONEY');

-- The rest of what waits for admins; reports come many at once.
create function tell_admins_of_reports() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic)
    select id, 'QUEUE' from users where role = 'ADMIN' and deleted_at is null and exists (select from changed);
  return null;
end $$;
create trigger fraud_reports_told after insert on fraud_reports referencing new table as changed
  for each statement execute function tell_admins_of_reports();
create trigger fraud_reports_decided_told after update on fraud_reports referencing new table as changed
  for each statement execute function tell_admins_of_reports();
create trigger appeals_told after insert or update on appeals for each row execute function tell_admins();
create trigger withdrawals_failed_told after update on withdrawals for each row
  when (new.status = 'FAILED' and old.status <> 'FAILED') execute function tell_admins();
