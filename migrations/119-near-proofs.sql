-- Proof texts that are nearly the same (docs/decisions/066-near-proofs.md). A scan keeps a few marks of each text, so that it compares
-- only texts that share one. The text cannot be read from them.
create table proof_marks (
  mark bigint not null,
  tester_id uuid not null references users,
  participation_id uuid not null references participations,
  primary key (participation_id, mark)
);
create index proof_marks_by_mark on proof_marks (mark, tester_id) include (participation_id);

alter table fraud_reports drop constraint fraud_reports_kind_check;
alter table fraud_reports add constraint fraud_reports_kind_check check (kind in ('SHARED_DEVICE', 'SELF_TEST', 'SAME_PROOF',
  'NEAR_PROOF', 'SAME_PICTURE', 'EARLY_WITHDRAWAL', 'SHARED_PLAY_ADDRESS', 'THROW_AWAY_MAIL', 'EVEN_CHECK_INS')) not valid;
