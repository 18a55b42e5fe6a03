-- no transaction
-- Accounts that were deleted before a deletion took these back: nobody is left to look again.
update bug_retests r set withdrawn_at = greatest(r.asked_at, u.deleted_at)
  from bugs b join participations p on p.id = b.participation_id join users u on u.id = p.tester_id
  where b.id = r.bug_id and r.id in (select o.id from bug_retests o join bugs on bugs.id = o.bug_id
    join participations on participations.id = bugs.participation_id join users on users.id = participations.tester_id
    where o.result is null and o.withdrawn_at is null and users.deleted_at is not null limit 1000);
update change_feedback f set withdrawn_at = u.deleted_at
  from participations p join users u on u.id = p.tester_id
  where p.id = f.participation_id and (f.change_id, f.participation_id, f.question_id) in (
    select o.change_id, o.participation_id, o.question_id from change_feedback o
      join participations on participations.id = o.participation_id join users on users.id = participations.tester_id
    where o.result is null and o.withdrawn_at is null and users.deleted_at is not null limit 1000);
