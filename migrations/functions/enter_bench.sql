-- Puts a tester at the end of a full campaign's line: OK, or why not. Locks the tester's row, then the campaign's.
create or replace function enter_bench(p_entry bench_entries) returns text language plpgsql as $$
declare c campaigns;
begin
  if hold_tester(p_entry.tester_id) is null then return 'SUSPENDED'; end if;
  select * into c from campaigns where id = p_entry.campaign_id for update;
  if not found or c.status <> 'LIVE' or c.disputed_since is not null or c.dispute_lost_at is not null then return 'WRONG_STATE'; end if;
  if exists (select from participations where campaign_id = c.id and tester_id = p_entry.tester_id)
    or exists (select from bench_entries where campaign_id = c.id and tester_id = p_entry.tester_id) then return 'JOINED'; end if;
  if c.seats_taken + c.closed_seats + c.offered_seats < c.testers_required then return 'SEAT_FREE'; end if;
  if c.bench_testers >= c.testers_required then return 'FULL'; end if;
  p_entry.place := nextval('bench_places');
  p_entry.passes := coalesce(
    (select passes from bench_passes where campaign_id = c.id and tester_id = p_entry.tester_id), 0);
  p_entry.told := false;
  insert into bench_entries select p_entry.*;
  update campaigns set bench_testers = bench_testers + 1 where id = c.id;
  return 'OK';
end $$;
