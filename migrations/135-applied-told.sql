-- Testers are no longer asked to stay opted in: an open page of theirs must learn of it, also of a test that is verified.
create function tell_of_application() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select tester_id, 'TEST', id from participations where campaign_id = new.id and (closed_at is null or status = 'VERIFIED');
  return null;
end $$;
create trigger campaigns_applied_told after update of applied_at on campaigns for each row
  when (old.applied_at is null and new.applied_at is not null) execute function tell_of_application();
