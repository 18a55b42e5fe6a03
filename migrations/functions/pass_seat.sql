-- The time to accept a seat is over: its tester goes to the end of the line, and the seat to the next who has let none pass.
create or replace function pass_seat(p_entry uuid, p_now timestamptz) returns text language plpgsql as $$
declare c uuid;
begin
  select campaigns.id into c from campaigns join bench_entries e on e.campaign_id = campaigns.id where e.id = p_entry
    for update of campaigns;
  update bench_entries set offered_at = null, offer_ends_at = null, told = false, passes = passes + 1,
    place = nextval('bench_places') where id = p_entry and offer_ends_at <= p_now;
  if not found then return 'WRONG_STATE'; end if;
  update campaigns set offered_seats = offered_seats - 1 where id = c;
  perform offer_seats(c, true, p_now);
  return 'OK';
end $$;
