-- What indexes ask of a campaign's counters, in columns of their own: these seldom change, and while they do not, taking a
-- seat writes no index of campaigns (docs/decisions/067-updates-within-a-page.md).
alter table campaigns
  -- For one more tester: a free seat, or a place on the bench.
  add column has_room boolean,
  add column has_open_tests boolean,
  -- When the clock completes it: at its end, or at once if every seat is verified or closed. Null unless it is running,
  -- without open tests, and not disputed.
  add column completes_at timestamptz;
alter table campaigns set (fillfactor = 80);

create function sum_up_seats() returns trigger language plpgsql as $$
begin
  new.has_room := new.seats_taken + new.closed_seats + new.offered_seats < new.testers_required
    or new.bench_testers < new.testers_required;
  new.has_open_tests := new.open_testers > 0;
  new.completes_at := case
    when new.status not in ('LIVE', 'PAUSED') or new.open_testers > 0 or new.disputed_since is not null then null
    when new.verified_testers + new.closed_seats = new.testers_required then '-infinity'
    else new.end_date end;
  return new;
end $$;
-- After campaigns_offers_withdrawn, which changes a counter: triggers run in the order of their names.
create trigger campaigns_seats_summed_up before insert or update on campaigns for each row execute function sum_up_seats();

alter table campaigns add constraint campaigns_seats_summed_up check (
  has_room is not distinct from
    (seats_taken + closed_seats + offered_seats < testers_required or bench_testers < testers_required)
  and has_open_tests is not distinct from (open_testers > 0)
  and completes_at is not distinct from case
    when status not in ('LIVE', 'PAUSED') or open_testers > 0 or disputed_since is not null then null
    when verified_testers + closed_seats = testers_required then '-infinity'
    else end_date end
) not valid;
