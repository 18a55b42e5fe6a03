-- The time to accept these seats is over: their testers go to the end of the line, and each seat to the next one who has let none
-- pass. Returns the entries whose time was over.
create or replace function pass_seats(p_entries uuid[], p_now timestamptz) returns uuid[] language plpgsql as $$
declare
  passed uuid[];
  c record;
begin
  perform from campaigns where id in (select campaign_id from bench_entries where id = any (p_entries)) order by id for update;
  with over as materialized (
    select id, nextval('bench_places') as next_place from (
      select id from bench_entries where id = any (p_entries) and offer_ends_at <= p_now order by place for update) held
  ), moved as (
    update bench_entries e set offered_at = null, offer_ends_at = null, passes = passes + 1, place = next_place
    from over where e.id = over.id returning e.id
  )
  select array_agg(id) into passed from moved;
  if passed is null then return '{}'; end if;
  for c in
    select campaign_id as id, count(*) as seats from bench_entries where id = any (passed) group by campaign_id order by campaign_id
  loop
    update campaigns set offered_seats = offered_seats - c.seats where id = c.id;
    perform offer_seats(c.id, true, p_now);
  end loop;
  return passed;
end $$;
