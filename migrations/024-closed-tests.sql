-- The closed test on Google Play: how testers get in, and since when each of them has been opted in without a break.

alter table campaigns
  -- EMAIL_LIST and GOOGLE_GROUP: testers get in once the developer has put their Google account on a list.
  add column access_mode text not null default 'OPEN_LINK'
    check (access_mode in ('EMAIL_LIST', 'GOOGLE_GROUP', 'OPEN_LINK')),
  add column group_link text,
  -- What testers are asked to try, a line each.
  add column features text[] not null default '{}' check (cardinality(features) <= 20),
  -- The owner has applied for production access: VERIFIED testers may come off the list.
  add column applied_at timestamptz,
  add constraint campaigns_list_is_android check (access_mode = 'OPEN_LINK' or platform = 'android'),
  add constraint campaigns_group_link check ((access_mode = 'GOOGLE_GROUP') = (group_link is not null));

alter table participations
  -- Since when the developer says that the tester is on the list, and since when no longer.
  add column listed_at timestamptz,
  add column unlisted_at timestamptz,
  add column link_opened_at timestamptz,
  -- The start of the present run, and the last end of one by the tester's own opt-out.
  add column opted_in_at timestamptz,
  add column opted_out_at timestamptz,
  add column opt_outs int not null default 0 check (opt_outs >= 0);

-- Where the campaign has a list, the days begin with the opt-in: until then there is no date for the proof.
alter table participations alter column proof_allowed_at drop not null;

-- Each unbroken time in which a tester was opted in. The clock reads nothing but these rows.
create table opt_in_runs (
  id bigint generated always as identity primary key,
  participation_id uuid not null references participations (id),
  campaign_id uuid not null references campaigns (id),
  started_at timestamptz not null,
  -- The last time that the tester said so, or showed it.
  confirmed_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  end_reason text check (end_reason in ('OPTED_OUT', 'LEFT', 'DROPPED', 'REJECTED', 'CANCELLED', 'VOIDED')),
  -- The developer's doubt, once for each run, and its outcome. While it is open the run does not count.
  contested_at timestamptz,
  contest_reason text,
  contest_ended_at timestamptz,
  contest_outcome text check (contest_outcome in ('CLEARED_BY_EVIDENCE', 'CLEARED_BY_ADMIN', 'CLEARED_BY_TIME', 'VOIDED')),
  contest_note text,
  contest_decided_by uuid references users (id),
  check ((ended_at is null) = (end_reason is null)),
  check ((contested_at is null) = (contest_reason is null)),
  check ((contest_ended_at is null) = (contest_outcome is null)),
  check (contest_ended_at is null or contested_at is not null)
);
create unique index opt_in_runs_present on opt_in_runs (participation_id) where ended_at is null;
create index opt_in_runs_of_participation on opt_in_runs (participation_id, id);
create index opt_in_runs_of_campaign on opt_in_runs (campaign_id, started_at);
create index opt_in_runs_contested on opt_in_runs (contested_at) where contested_at is not null and contest_ended_at is null;

-- Leaving, being dropped, a rejection and a cancelled test end the run, whatever statement does it. A verified one goes on.
create function end_opt_in_run() returns trigger language plpgsql as $$
begin
  update opt_in_runs set ended_at = greatest(new.closed_at, started_at), end_reason = case new.status
      when 'DROPPED' then case when new.drop_reason = 'LEFT' then 'LEFT' else 'DROPPED' end else new.status end
    where participation_id = new.id and ended_at is null;
  return null;
end $$;
create trigger participations_end_their_run after update on participations for each row
  when (new.opted_in_at is not null and old.status is distinct from new.status
    and new.status in ('DROPPED', 'REJECTED', 'CANCELLED'))
  execute function end_opt_in_run();

-- The Google account that a tester's Play Store uses, for the developer's list. Sealed (src/kit/server/encryption.ts), and
-- erased 30 days after the campaign has ended; what was agreed to, and when, stays.
create table play_addresses (
  participation_id uuid primary key references participations (id),
  tester_id uuid not null references users (id),
  sealed bytea,
  -- A keyed hash, so that one address used by several accounts is seen without being read.
  address_hash bytea,
  consent_version int not null,
  consented_at timestamptz not null,
  erased_at timestamptz,
  check ((sealed is null) = (erased_at is not null)),
  check ((address_hash is null) = (erased_at is not null))
);
create index play_addresses_of_tester on play_addresses (tester_id, consented_at desc);
create index play_addresses_shared on play_addresses (address_hash, tester_id) where address_hash is not null;

-- What the owner took away for Play Console, and whether it is on the list there. Changes are told from the last confirmed.
create table tester_list_exports (
  id bigint generated always as identity primary key,
  campaign_id uuid not null references campaigns (id),
  exported_at timestamptz not null,
  exported_by uuid not null references users (id),
  confirmed_at timestamptz
);
create index tester_list_exports_of_campaign on tester_list_exports (campaign_id, id desc);
create table tester_list_changes (
  export_id bigint not null references tester_list_exports (id),
  participation_id uuid not null references participations (id),
  change text not null check (change in ('ADD', 'REMOVE')),
  primary key (export_id, participation_id)
);

-- The number of testers that Play Console showed the owner on a day (UTC).
create table play_counts (
  campaign_id uuid not null references campaigns (id),
  day date not null,
  count int not null check (count between 0 and 100000),
  recorded_at timestamptz not null,
  primary key (campaign_id, day)
);

alter table campaign_events drop constraint campaign_events_kind_check;
alter table campaign_events add constraint campaign_events_kind_check check (kind in ('CREATED', 'EDITED', 'PAID',
  'PAYMENT_DECLINED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'STARTED', 'PAUSED', 'RESUMED', 'LINK_REQUESTED',
  'LINK_WITHDRAWN', 'LINK_APPROVED', 'LINK_REJECTED', 'LIST_EXPORTED', 'LIST_CONFIRMED', 'APPLIED', 'SEAT_CLOSED',
  'REFUNDED', 'COMPLETED', 'CANCELLED', 'TESTER_JOINED', 'TESTER_LISTED', 'TESTER_OPTED_IN', 'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED', 'OPT_IN_CLEARED', 'OPT_IN_VOIDED', 'PROOF_SUBMITTED', 'CHANGES_REQUESTED', 'TESTER_VERIFIED',
  'TESTER_REJECTED', 'TESTER_LEFT', 'TESTER_DROPPED', 'TESTER_CANCELLED'));

drop function if exists change_campaign_terms(uuid, text, int, bigint, int, bigint, boolean, text[], text[], text, text, text, text,
  text, uuid, timestamptz);
