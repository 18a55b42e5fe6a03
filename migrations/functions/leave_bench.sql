-- Takes a tester out of the line. A seat that was held for them goes to the next tester who has let none pass; that they let it
-- pass is remembered in case they come back.
create or replace function leave_bench(p_entry uuid, p_now timestamptz) returns text language plpgsql as $$
declare
  c uuid;
  e bench_entries;
  was_offered boolean;
begin
  select campaigns.id into c from campaigns join bench_entries on bench_entries.campaign_id = campaigns.id
    where bench_entries.id = p_entry for update of campaigns;
  delete from bench_entries where id = p_entry returning * into e;
  if not found then return 'NOT_FOUND'; end if;
  was_offered := e.offered_at is not null;
  if e.passes > 0 or was_offered then
    insert into bench_passes (campaign_id, tester_id, passes) values (c, e.tester_id, e.passes + was_offered::int)
      on conflict (campaign_id, tester_id) do update set passes = excluded.passes;
  end if;
  update campaigns set bench_testers = bench_testers - 1, offered_seats = offered_seats - was_offered::int where id = c;
  perform offer_seats(c, true, p_now);
  return 'OK';
end $$;
