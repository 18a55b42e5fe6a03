-- Holds each free seat of a LIVE, undisputed campaign for the next tester in line, for 24 hours each; if open tests keep the
-- campaign going, even after its end. p_fresh: only for testers who have let none pass yet, so that a seat that nobody wants is
-- not held forever. Skips a tester whose Google account is in the campaign, or is offered a seat, under another tester, since
-- only one of the two can take a seat. The caller has locked the campaign's row.
create or replace function offer_seats(p_campaign uuid, p_fresh boolean, p_now timestamptz)
  returns int language plpgsql as $$
declare offered int;
begin
  with next as materialized (
    select e.id from campaigns c join bench_entries e on e.campaign_id = c.id
    where c.id = p_campaign and c.status = 'LIVE' and c.disputed_since is null and c.dispute_lost_at is null
      and (c.has_open_tests or c.end_date > p_now) and e.offered_at is null and (e.passes = 0 or not p_fresh)
      and (e.address_hash is null or not (play_account_taken(p_campaign, e.tester_id, e.address_hash)
        or exists (select from bench_entries o where o.campaign_id = p_campaign and o.address_hash = e.address_hash and o.offered_at is null
          and o.place < e.place and (o.passes = 0 or not p_fresh))))
    order by e.place
    limit (select greatest(testers_required - seats_taken - closed_seats - offered_seats, 0)
      from campaigns where id = p_campaign)
  )
  update bench_entries set offered_at = p_now, offer_ends_at = p_now + interval '24 hours', told = false
    from next where bench_entries.id = next.id;
  get diagnostics offered = row_count;
  if offered > 0 then update campaigns set offered_seats = offered_seats + offered where id = p_campaign; end if;
  return offered;
end $$;
