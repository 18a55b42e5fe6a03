-- The reserve bench: testers who wait for a seat of a full campaign. An entry is no participation: it has no seat, no days
-- and no pay, and becomes one, under the same id, when the tester accepts a seat.
create sequence bench_places;
create table bench_entries (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  tester_id uuid not null references users (id),
  -- The order of the line is a sequence and not a time (decision 005). Whoever lets a seat pass gets a new place.
  place bigint not null default nextval('bench_places'),
  passes int not null default 0,
  entered_at timestamptz not null,
  -- The seat that is held for the tester, and until when.
  offered_at timestamptz,
  offer_ends_at timestamptz,
  told boolean not null default false,
  device_platform text,
  device_os_version text,
  device_model text not null,
  device_manufacturer text,
  device_fingerprint text,
  time_zone text not null,
  -- Of a campaign with a tester list; handed on with the seat.
  address_sealed bytea,
  address_hash bytea,
  consent_version int,
  unique (campaign_id, tester_id),
  check ((offered_at is null) = (offer_ends_at is null)),
  check (num_nulls(address_sealed, address_hash, consent_version) in (0, 3))
);
create index bench_line on bench_entries (campaign_id, place);
create index bench_of_tester on bench_entries (tester_id, id desc);
create index bench_offers on bench_entries (offer_ends_at) where offered_at is not null;
create index bench_untold on bench_entries (offered_at) where offered_at is not null and not told;

alter table campaigns
  -- Seats held for those who are offered one, and how many are in the line.
  add column offered_seats int not null default 0 check (offered_seats >= 0),
  add column bench_testers int not null default 0 check (bench_testers between 0 and testers_required),
  drop constraint campaigns_seats_left,
  add constraint campaigns_seats_left check (seats_taken + closed_seats + offered_seats <= testers_required);
drop index campaigns_available;
create index campaigns_available on campaigns (id desc) where status = 'LIVE'
  and (seats_taken + closed_seats + offered_seats < testers_required or bench_testers < testers_required);

-- Nobody is on the bench and in the campaign at once. Both ways in hold the tester's row, so that each sees the other.
create function refuse_second_place() returns trigger language plpgsql as $$
begin
  if exists (select from bench_entries where campaign_id = new.campaign_id and tester_id = new.tester_id) then
    raise unique_violation using constraint = 'participations_campaign_id_tester_id_key';
  end if;
  return new;
end $$;
create trigger participations_not_on_bench before insert on participations for each row
  execute function refuse_second_place();

-- No seat is offered while a campaign is paused: the line stays, and is asked again when it goes on.
create function withdraw_offers() returns trigger language plpgsql as $$
begin
  update bench_entries set offered_at = null, offer_ends_at = null, told = false
    where campaign_id = new.id and offered_at is not null;
  new.offered_seats := 0;
  return new;
end $$;
create trigger campaigns_offers_withdrawn before update of status on campaigns for each row
  when (old.status = 'LIVE' and new.status <> 'LIVE' and old.offered_seats > 0) execute function withdraw_offers();
