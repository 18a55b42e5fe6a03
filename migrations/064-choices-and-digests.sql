-- How each user hears of each kind of event (issue 11): in the product, by email at once, in a digest, or never.

create table notification_choices (
  user_id uuid not null references users (id),
  topic text not null check (topic in ('PROOFS', 'APPEALS', 'TESTERS_AT_RISK', 'TESTER_LIST', 'CAMPAIGNS',
    'SEATS_OF_CAMPAIGNS', 'OPT_IN_DECISIONS', 'BUG_REPORTS', 'CHECK_INS', 'DEADLINES', 'REVIEWS', 'APPEAL_OUTCOMES',
    'SEATS', 'TEST_CHANGES', 'OPT_INS', 'RETESTS', 'BUG_THREADS', 'APPEALS_TO_DECIDE', 'MESSAGES')),
  delivery text not null check (delivery in ('AT_ONCE', 'DAILY', 'WEEKLY', 'IN_APP', 'NEVER')),
  -- What an unsubscribe link has replaced, for who turns the emails on again.
  before_off text check (before_off in ('AT_ONCE', 'DAILY', 'WEEKLY', 'IN_APP', 'NEVER')),
  primary key (user_id, topic)
);

-- Unsubscribe links are signed with the newest and work with all: emails are read months later, whatever secrets the
-- server has by then.
create table unsubscribe_keys (
  id bigint generated always as identity primary key,
  key bytea not null
);
insert into unsubscribe_keys (key)
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- All null for what was told before: it was mailed at once, and stands for itself.
alter table notifications
  add column kind text,
  add column topic text,
  -- Under which it is listed; found by campaign_of_notice when it is told.
  add column campaign_id uuid,
  add column delivery text not null default 'AT_ONCE',
  -- When the digest that lists it is due; null once it was taken, and where it is in none.
  add column digest_due_at timestamptz,
  add constraint notifications_delivery_check check (delivery in ('AT_ONCE', 'DAILY', 'WEEKLY', 'IN_APP'));
create index notifications_due on notifications (digest_due_at, user_id) where digest_due_at is not null;
create index notifications_waiting on notifications (user_id) where digest_due_at is not null;

update notifications n set campaign_id = case
  when about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST') then about_id
  when about_kind in ('TEST', 'APPEAL') then coalesce((select campaign_id from participations where id = n.about_id),
    (select campaign_id from bench_entries where id = n.about_id))
  when about_kind = 'BUG' then (select campaign_id from bugs where id = n.about_id) end
where about_kind is not null;

-- Those of one matter, the newest first; and those that are unread, by matter and by time.
create index notifications_of_matter on notifications (user_id, campaign_id, kind, id desc);
create index notifications_unread_of_matter on notifications (user_id, campaign_id, kind, id desc) where read_at is null;
drop index notifications_unread;
create index notifications_unread on notifications (user_id, id desc) where read_at is null;

-- One email for each user, period and day.
create table digests (
  id uuid primary key,
  user_id uuid not null references users (id),
  period text not null check (period in ('DAILY', 'WEEKLY')),
  -- In the user’s time zone; of a weekly digest, the week’s Monday.
  day date not null,
  notification_ids uuid[] not null,
  made_at timestamptz not null,
  unique (user_id, period, day)
);
create index digests_by_age on digests (made_at);
