-- The NDA of a campaign: each version of its text, and who accepted which one, under which name, when and from where.

create table nda_texts (
  campaign_id uuid not null references campaigns (id),
  version int not null check (version > 0),
  text text not null,
  set_at timestamptz not null,
  primary key (campaign_id, version)
);

alter table campaigns
  -- The version that testers are asked to accept; null while the campaign asks for none.
  add column nda_version int,
  add constraint campaigns_nda foreign key (id, nda_version) references nda_texts (campaign_id, version);

alter table participations
  -- The version that was asked for when the tester took the seat: until one is accepted, nothing of the test begins.
  add column nda_joined int,
  -- The newest version that the tester has accepted, and when they accepted the first.
  add column nda_accepted int,
  add column nda_accepted_at timestamptz,
  -- The test ended because its tester did not accept a changed NDA.
  add column nda_refused boolean not null default false,
  add check ((nda_accepted is null) = (nda_accepted_at is null)),
  add check (not nda_refused or status = 'CANCELLED');

create table nda_acceptances (
  id bigint generated always as identity primary key,
  campaign_id uuid not null,
  version int not null,
  participation_id uuid not null references participations (id),
  tester_id uuid not null references users (id),
  name text not null,
  ip text not null,
  accepted_at timestamptz not null,
  unique (participation_id, version),
  foreign key (campaign_id, version) references nda_texts (campaign_id, version)
);
create index nda_acceptances_of_campaign on nda_acceptances (campaign_id, id desc);
create index nda_acceptances_of_tester on nda_acceptances (tester_id, id);

alter table participations drop constraint participations_drop_reason_check;
alter table participations add constraint participations_drop_reason_check check (drop_reason in
  ('LEFT', 'NO_CHECK_IN', 'NO_PROOF', 'SUSPENDED', 'NOT_OPTED_IN', 'OPTED_OUT', 'THIRD_OPT_OUT', 'NDA_NOT_ACCEPTED'));
