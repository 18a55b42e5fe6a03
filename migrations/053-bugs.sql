-- Bugs that testers report, with a thread between tester and developer (decision 035).

-- The last number that was given in each campaign; whoever reports or decides holds its row.
create table bug_numbers (
  campaign_id uuid primary key references campaigns (id),
  last int not null check (last > 0)
);

create table bugs (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  -- Within the campaign, from 1.
  number int not null check (number > 0),
  -- Whose test it was found in; the device stands there.
  participation_id uuid not null references participations (id),
  title text not null,
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  steps text not null,
  expected text not null,
  actual text not null,
  app_version text,
  status text not null default 'OPEN' check (status in ('OPEN', 'CONFIRMED', 'DUPLICATE', 'FIXED', 'WONT_FIX')),
  -- Of the same campaign, and no duplicate itself.
  duplicate_of uuid references bugs (id),
  fixed_in text,
  comments int not null default 0,
  reported_at timestamptz not null,
  changed_at timestamptz not null,
  unique (campaign_id, number),
  check ((status = 'DUPLICATE') = (duplicate_of is not null)),
  check ((status = 'FIXED') = (fixed_in is not null)),
  check (duplicate_of is distinct from id)
);
create index bugs_of_participation on bugs (participation_id, reported_at);
create index bugs_duplicates on bugs (duplicate_of, number) where duplicate_of is not null;

-- The thread: what was reported, said and decided. Never changed.
create table bug_events (
  id bigint primary key generated always as identity,
  bug_id uuid not null references bugs (id),
  at timestamptz not null,
  author_id uuid not null references users (id),
  role text not null check (role in ('DEVELOPER', 'TESTER', 'ADMIN')),
  kind text not null check (kind in ('REPORTED', 'COMMENTED', 'CONFIRMED', 'MARKED_DUPLICATE', 'FIXED', 'WONT_FIX',
    'REOPENED', 'SEVERITY_CHANGED', 'RETEST_WORKS', 'RETEST_BROKEN')),
  -- The comment, or the note with a decision.
  text text,
  -- The number of the bug that it is a duplicate of, as of then.
  duplicate_of int,
  version text,
  severity text
);
create index bug_events_of_bug on bug_events (bug_id, id);
create index bug_events_of_author on bug_events (author_id, id);

-- Whoever reported a bug that is fixed, or a duplicate of it, is asked whether it works now.
create table bug_retests (
  id bigint primary key generated always as identity,
  bug_id uuid not null references bugs (id),
  version text not null,
  asked_at timestamptz not null,
  result text check (result in ('WORKS', 'STILL_BROKEN')),
  answered_at timestamptz,
  -- It is open again, so nobody has to look.
  withdrawn_at timestamptz,
  check ((result is null) = (answered_at is null)),
  check (result is null or withdrawn_at is null)
);
create index bug_retests_of_bug on bug_retests (bug_id, id);
create unique index bug_retests_open on bug_retests (bug_id) where result is null and withdrawn_at is null;

alter table attachments add column bug_event_id bigint references bug_events (id);
alter table attachments drop constraint attachments_kind_check;
alter table attachments add constraint attachments_kind_check check (kind in ('PROOF', 'CHECK_IN', 'OPT_IN', 'BUG'));
alter table attachments add constraint attachments_bug_check
  check ((kind is not distinct from 'BUG') = (bug_event_id is not null));
create index attachments_of_bug_event on attachments (bug_event_id) where bug_event_id is not null;

alter table notifications drop constraint notifications_about_kind_check;
alter table notifications add constraint notifications_about_kind_check
  check (about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST', 'TEST', 'BUG', 'WITHDRAWAL', 'ACCOUNT'));
