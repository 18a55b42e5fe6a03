-- What a developer owes is on the pages of their own campaigns: open ones must learn of a dispute, and of how the debt for it ends.
create function tell_owner_of_dispute() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select developer_id, 'CAMPAIGN', id from campaigns where id = new.campaign_id;
  return null;
end $$;
create trigger disputes_told_to_owner after insert on disputes for each row execute function tell_owner_of_dispute();
create trigger disputes_changed_told_to_owner after update on disputes for each row
  when (old.status <> new.status or old.covered_cents + old.set_off_cents + old.settled_cents
    <> new.covered_cents + new.set_off_cents + new.settled_cents)
  execute function tell_owner_of_dispute();
