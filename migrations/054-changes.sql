-- What a campaign's developer changed in the app, by version, and the bugs that each change answers.

create table versions (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  version text not null,
  published_at timestamptz not null
);
create unique index versions_of_campaign on versions (campaign_id, lower(version));
create index versions_newest on versions (campaign_id, id);

create table changes (
  id uuid primary key,
  version_id uuid not null references versions (id),
  position int not null check (position >= 0),
  text text not null,
  unique (version_id, position)
);

create table change_answers (
  change_id uuid not null references changes (id),
  bug_id uuid not null references bugs (id),
  primary key (change_id, bug_id)
);
create index change_answers_of_bug on change_answers (bug_id);
