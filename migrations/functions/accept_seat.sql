-- Turns a bench entry into a participation, which takes the seat that is held for it or any free one. Locks the tester's row,
-- then the campaign's. Days are counted in the tester's current time zone, as when a seat is taken at once. If the campaign asks
-- for an NDA, the days begin with its acceptance, which then says when the proof is allowed.
create or replace function accept_seat(p_entry uuid, p_tester uuid, p_proof_allowed_at timestamptz, p_wake_at timestamptz,
  p_now timestamptz) returns text language plpgsql as $$
declare
  c campaigns;
  e bench_entries;
  open_tests bigint := hold_tester(p_tester);
begin
  if open_tests is null then return 'SUSPENDED'; end if;
  select campaigns.* into c from campaigns join bench_entries on bench_entries.campaign_id = campaigns.id
    where bench_entries.id = p_entry for update of campaigns;
  select * into e from bench_entries where id = p_entry and tester_id = p_tester for update;
  if not found then return 'NOT_FOUND'; end if;
  if open_tests >= (select open_tests_per_tester from settings) then return 'LIMIT_REACHED'; end if;
  if c.status <> 'LIVE' or c.disputed_since is not null or c.dispute_lost_at is not null
    or play_account_taken(c.id, e.tester_id, e.address_hash) then return 'WRONG_STATE'; end if;
  if e.offered_at is null and c.seats_taken + c.closed_seats + c.offered_seats >= c.testers_required then return 'FULL'; end if;

  delete from bench_entries where id = e.id;
  update campaigns set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1,
    bench_testers = bench_testers - 1, offered_seats = offered_seats - (e.offered_at is not null)::int,
    end_date = greatest(end_date, case when nda_version is null then p_proof_allowed_at end) where id = c.id returning * into c;
  insert into participations (id, campaign_id, tester_id, ordinal, status, device_platform, device_os_version, device_model,
    device_manufacturer, device_fingerprint, time_zone, joined_at, proof_allowed_at, last_seen_at, payout_amount_cents, wake_at,
    nda_joined)
    values (e.id, c.id, e.tester_id, c.joins_ever, 'ACTIVE', e.device_platform, e.device_os_version, e.device_model,
      e.device_manufacturer, e.device_fingerprint, (select time_zone from users where id = p_tester), p_now,
      case when c.nda_version is null then p_proof_allowed_at end, p_now, c.pay_per_tester_cents, p_wake_at,
      c.nda_version);
  if e.address_sealed is not null then
    insert into play_addresses (participation_id, tester_id, sealed, address_hash, same_address, consent_version, consented_at)
      values (e.id, e.tester_id, e.address_sealed, e.address_hash,
        coalesce((select same_address from play_addresses where address_hash = e.address_hash limit 1), e.id),
        e.consent_version, e.entered_at);
  end if;
  return 'OK';
end $$;
