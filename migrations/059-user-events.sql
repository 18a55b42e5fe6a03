-- What has changed for whom, so that open screens can ask again (decision 040). Triggers write the rows in the transaction of
-- their cause, so that no statement can forget to. They carry no content: a reader asks for it, with its own access.
create table user_events (
  -- Cursors go by the transaction first: read below the oldest one still open, their order is the order of visibility.
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  user_id uuid not null,
  topic text not null check (topic in ('CAMPAIGN', 'TEST', 'MONEY', 'NOTICES', 'QUEUE')),
  -- Of the campaign or of the test.
  subject_id uuid,
  at timestamptz not null default now(),
  primary key (tx, id)
);
create index user_events_of_user on user_events (user_id, tx, id);
create index user_events_by_age on user_events (at, tx);
-- Up to which transaction events have been deleted: a cursor from before may have missed some.
create table user_events_forgotten (up_to xid8 not null);
insert into user_events_forgotten values ('0');

create function tell_of_campaign_events() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
  select c.developer_id, 'CAMPAIGN', c.id from added e join campaigns c on c.id = e.campaign_id
  union
  select p.tester_id, 'TEST', p.id from added e join participations p on p.id = e.participation_id
  union
  -- Those inside see what happens to the campaign itself.
  select p.tester_id, 'TEST', p.id from added e join participations p on p.campaign_id = e.campaign_id and p.closed_at is null
    where e.participation_id is null and e.kind in ('EDITED', 'PAUSED', 'RESUMED', 'CANCELLED', 'COMPLETED', 'LINK_APPROVED')
  union
  select u.id, 'QUEUE', null from users u where u.role = 'ADMIN' and u.deleted_at is null and exists (
    select from added where kind in ('SUBMITTED', 'APPROVED', 'REJECTED', 'CANCELLED', 'LINK_REQUESTED', 'LINK_WITHDRAWN',
      'LINK_APPROVED', 'LINK_REJECTED', 'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED'));
  return null;
end $$;
create trigger campaign_events_told after insert on campaign_events referencing new table as added
  for each statement execute function tell_of_campaign_events();

create function tell_of_check_ins() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
  select c.developer_id, 'CAMPAIGN', c.id from added i join participations p on p.id = i.participation_id
    join campaigns c on c.id = p.campaign_id
  union
  select p.tester_id, 'TEST', p.id from added i join participations p on p.id = i.participation_id;
  return null;
end $$;
create trigger check_ins_told after insert on check_ins referencing new table as added
  for each statement execute function tell_of_check_ins();

-- What the roster shows, and no event of the campaign tells.
create function tell_of_participation() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
  select developer_id, 'CAMPAIGN', id from campaigns where id = new.campaign_id
  union all select new.tester_id, 'TEST', new.id;
  return null;
end $$;
create trigger participations_told after update on participations for each row
  when (old.at_risk is distinct from new.at_risk or old.proof_warned is distinct from new.proof_warned
    or old.link_opened_at is distinct from new.link_opened_at)
  execute function tell_of_participation();

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

create function tell_admins() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic)
  select id, 'QUEUE' from users where role = 'ADMIN' and deleted_at is null and exists (select from changed);
  return null;
end $$;
create trigger fraud_reports_told after insert on fraud_reports referencing new table as changed
  for each statement execute function tell_admins();
create trigger fraud_reports_decided_told after update on fraud_reports referencing new table as changed
  for each statement execute function tell_admins();
