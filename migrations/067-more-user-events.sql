-- Feedback that a change answers, and checks of the books that begin or cease to fail, change open screens too (decision 041).
create function tell_of_answered_feedback() returns trigger language plpgsql as $$
begin
  insert into user_events (user_id, topic, subject_id)
    select told.* from participations p join campaigns c on c.id = p.campaign_id
      cross join lateral (values (c.developer_id, 'CAMPAIGN', c.id), (p.tester_id, 'TEST', p.id)) told
      where p.id = new.participation_id;
  return null;
end $$;
create trigger change_feedback_told after insert on change_feedback for each row execute function tell_of_answered_feedback();
create trigger change_feedback_tried_told after update on change_feedback for each row
  when (old.result is distinct from new.result or old.withdrawn_at is distinct from new.withdrawn_at)
  execute function tell_of_answered_feedback();
create trigger check_results_told after update on check_results for each row
  when (old.broken_since is distinct from new.broken_since or (old.error is null) <> (new.error is null))
  execute function tell_admins();
