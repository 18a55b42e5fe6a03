-- In the tester's own evening, when today's check-in is missing.
alter table participations add column remind_at timestamptz;
create index participations_to_remind on participations (remind_at) where remind_at is not null;

-- Kept by a trigger, so that no statement can forget it. Who does not have to check in today is not reminded: campaigns
-- without daily check-ins, tests that wait for the list or have no run, and all that are not ACTIVE.
create function set_reminder() returns trigger language plpgsql as $$
declare
  due boolean;
begin
  select c.daily_check_in and (c.access_mode = 'OPEN_LINK' or new.opted_in_at is not null) into strict due
    from campaigns c where c.id = new.campaign_id;
  new.remind_at := case when due and new.status = 'ACTIVE'
    then next_reminder(new, greatest(new.joined_at, new.opted_in_at, new.last_seen_at)) end;
  return new;
end $$;
create trigger participations_reminder_begins before insert on participations for each row execute function set_reminder();
create trigger participations_reminder_moves before update of status, opted_in_at, last_check_in_day on participations
  for each row execute function set_reminder();
