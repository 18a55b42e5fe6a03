-- no transaction
-- What admins were told of somebody's money goes with that person: otherwise all that every admin was ever told is read.
create index concurrently if not exists notifications_of_money on notifications (about_id)
  where about_kind in ('PAYOUT', 'STUCK_REFUND');
-- The first tests that share a mark with another, of a mark that very many have.
create index concurrently if not exists proof_marks_in_order on proof_marks (mark, participation_id) include (tester_id);
