-- True when another tester who is in the campaign got in with this Google account, or is offered a seat for it: Google Play counts
-- it once. Whoever left, was dropped or was finally rejected is no longer a tester of it. A tester who is offered a seat gives way
-- only to those who are in. For whoever holds the campaign's row, as every seat is taken; the statement that calls it would not see
-- itself what others committed while it waited for the row.
create or replace function play_account_taken(p_campaign uuid, p_tester uuid, p_hash bytea) returns boolean
  language plpgsql volatile as $$
begin
  return exists (select from play_addresses a join participations p on p.id = a.participation_id
      where a.address_hash = p_hash and a.tester_id <> p_tester and p.campaign_id = p_campaign
        and (p.closed_at is null or p.status = 'VERIFIED'))
    or exists (select from bench_entries where campaign_id = p_campaign and address_hash = p_hash and tester_id <> p_tester
        and offered_at is not null)
      and not exists (select from bench_entries where campaign_id = p_campaign and tester_id = p_tester and offered_at is not null);
end $$;
