-- A campaign whose end has come waits for the seats that are held for its line: 24 hours were promised to whoever was told.
create or replace function sum_up_seats() returns trigger language plpgsql as $$
begin
  new.has_room := new.seats_taken + new.closed_seats + new.offered_seats < new.testers_required
    or new.bench_testers < new.testers_required;
  new.has_open_tests := new.open_testers > 0;
  new.completes_at := case
    when new.status not in ('LIVE', 'PAUSED') or new.open_testers > 0 or new.offered_seats > 0
      or new.disputed_since is not null then null
    when new.verified_testers + new.closed_seats = new.testers_required then '-infinity'
    else new.end_date end;
  return new;
end $$;
alter table campaigns drop constraint campaigns_seats_summed_up;
alter table campaigns add constraint campaigns_seats_summed_up check (
  has_room is not distinct from
    (seats_taken + closed_seats + offered_seats < testers_required or bench_testers < testers_required)
  and has_open_tests is not distinct from (open_testers > 0)
  and completes_at is not distinct from case
    when status not in ('LIVE', 'PAUSED') or open_testers > 0 or offered_seats > 0 or disputed_since is not null then null
    when verified_testers + closed_seats = testers_required then '-infinity'
    else end_date end
) not valid;
