-- What the rules of the opt-in need to remember: who was told of waiting, when the developer sent a reminder, and two more
-- ways to lose a seat.

alter table participations
  -- How many of `waitNotices` (src/participations/deadlines.ts) were sent to a tester who waits for the tester list.
  add column wait_notices_sent int not null default 0 check (wait_notices_sent >= 0),
  add column nudged_at timestamptz;

alter table participations drop constraint participations_drop_reason_check;
alter table participations add constraint participations_drop_reason_check check (drop_reason in
  ('LEFT', 'NO_CHECK_IN', 'NO_PROOF', 'SUSPENDED', 'NOT_OPTED_IN', 'OPTED_OUT', 'THIRD_OPT_OUT'));

-- A cancelled campaign ends the runs of all its testers, of those too who are under review or verified.
create function end_runs_of_cancelled_campaign() returns trigger language plpgsql as $$
begin
  update opt_in_runs set ended_at = greatest(new.closed_at, started_at), end_reason = 'CANCELLED'
    where campaign_id = new.id and ended_at is null;
  update participations set opted_in_at = null, opted_out_at = new.closed_at
    where campaign_id = new.id and opted_in_at is not null
      and status in ('SUBMITTED', 'CHANGES_REQUESTED', 'VERIFIED');
  return null;
end $$;
create trigger campaigns_cancelled_end_their_runs after update on campaigns for each row
  when (new.access_mode <> 'OPEN_LINK' and new.status = 'CANCELLED' and old.status <> 'CANCELLED')
  execute function end_runs_of_cancelled_campaign();
