-- In the tester's own evening, when today's check-in is missing.
alter table participations add column remind_at timestamptz;
create index participations_to_remind on participations (remind_at) where remind_at is not null;

-- The evening (7 p.m.) of a day in a time zone; it is an hour earlier or later in UTC when the clocks have changed.
create function evening_of(p_day date, p_time_zone text) returns timestamptz language sql stable as $$
  select (p_day + time '19:00') at time zone p_time_zone
$$;

-- The next evening in which a check-in would be missing: today's, unless there was one today, or the tester has just begun.
create function next_reminder(p participations, p_begun_at timestamptz) returns timestamptz language plpgsql stable as $$
declare
  today date := (p_begun_at at time zone p.time_zone)::date;
begin
  if p.last_check_in_day >= today or p_begun_at + interval '3 hours' > evening_of(today, p.time_zone) then
    return evening_of(greatest(today, p.last_check_in_day) + 1, p.time_zone);
  end if;
  return evening_of(today, p.time_zone);
end $$;

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

update participations set last_check_in_day = last_check_in_day where status = 'ACTIVE';
