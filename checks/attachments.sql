-- What hangs on a test was uploaded by its tester, is whole, and hangs where there is something to hang on: a check-in of
-- its day, or a proof.
select a.id, a.kind, a.day from attachments a join participations p on p.id = a.participation_id
where a.uploader_id <> p.tester_id or a.stored_at is null
  or (a.kind = 'CHECK_IN' and not exists (select from check_ins where participation_id = p.id and day = a.day))
  or (a.kind = 'PROOF' and p.proof_submitted_at is null);
