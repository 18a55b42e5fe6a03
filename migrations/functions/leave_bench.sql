-- Takes somebody out of the line; a seat that was held for them goes to the next.
create or replace function leave_bench(p_entry uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  c uuid;
  was_offered boolean;
begin
  select campaigns.id into c from campaigns join bench_entries e on e.campaign_id = campaigns.id where e.id = p_entry
    for update of campaigns;
  delete from bench_entries where id = p_entry returning offered_at is not null into was_offered;
  if not found then return 'NOT_FOUND'; end if;
  update campaigns set bench_testers = bench_testers - 1, offered_seats = offered_seats - was_offered::int where id = c;
  perform offer_seats(c, false, p_now);
  return 'OK';
end $$;
