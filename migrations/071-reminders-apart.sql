-- Each evening moves every reminder on. In the row of the test, that made a new version in each of its thirteen indexes; now
-- check-ins leave reminders alone, and the job of the evening asks who has not checked in.
create table reminders (
  participation_id uuid primary key references participations (id),
  remind_at timestamptz not null
);
create index reminders_due on reminders (remind_at, participation_id);
insert into reminders (participation_id, remind_at)
  select id, remind_at from participations where remind_at is not null;

drop trigger participations_reminder_begins on participations;
drop trigger participations_reminder_moves on participations;
drop function set_reminder();
drop index participations_to_remind;
alter table participations drop column remind_at;

-- Who does not have to check in today has none: campaigns without daily check-ins, tests that wait for the list or have no run.
-- It is the job that forgets those of tests that are over.
create function keep_reminder() returns trigger language plpgsql as $$
begin
  insert into reminders (participation_id, remind_at)
    select new.id, next_reminder(new, greatest(new.joined_at, new.opted_in_at, new.last_seen_at))
    from campaigns c
    where c.id = new.campaign_id and c.daily_check_in and (c.access_mode = 'OPEN_LINK' or new.opted_in_at is not null)
    on conflict (participation_id) do update set remind_at = excluded.remind_at;
  return null;
end $$;
create trigger participations_reminder_begins after insert on participations for each row
  when (new.status = 'ACTIVE') execute function keep_reminder();
create trigger participations_reminder_moves after update of status, opted_in_at on participations for each row
  when (new.status = 'ACTIVE' and (old.status <> 'ACTIVE' or old.opted_in_at is distinct from new.opted_in_at))
  execute function keep_reminder();

-- The campaign of a notification is found by the statement that writes it, for all of them at once.
drop function if exists campaign_of_notice(text, uuid);

-- Unread ones of a matter are counted in the index of the matter: one index less for each notification.
create index notifications_of_matter_and_read on notifications (user_id, campaign_id, kind, id desc) include (read_at);
drop index notifications_of_matter;
drop index notifications_unread_of_matter;
alter index notifications_of_matter_and_read rename to notifications_of_matter;
