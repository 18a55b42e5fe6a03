-- A test's attachments were uploaded by its tester or, in the thread of a bug, by the other side. Each is complete, and belongs
-- to something that exists: a check-in of its day, a proof, an appeal, or an event of a bug of this test.
select a.id, a.kind, a.day from attachments a join participations p on p.id = a.participation_id
where (a.uploader_id <> p.tester_id and a.kind <> 'BUG') or a.stored_at is null
  or (a.kind = 'CHECK_IN' and not exists (select from check_ins where participation_id = p.id and day = a.day))
  or (a.kind = 'PROOF' and p.proof_submitted_at is null)
  or (a.kind = 'APPEAL' and not exists (select from appeals where participation_id = p.id))
  or (a.kind = 'BUG' and not exists (select from bug_events e join bugs b on b.id = e.bug_id
    where e.id = a.bug_event_id and e.author_id = a.uploader_id and b.participation_id = p.id));
