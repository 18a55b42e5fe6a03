-- How much one user can have at a time: nobody takes all seats, and nobody fills the database with drafts.
alter table settings
  add column drafts_per_developer int not null default 100 check (drafts_per_developer between 1 and 10000),
  add column open_tests_per_tester int not null default 8 check (open_tests_per_tester between 1 and 1000);

create index campaigns_drafts_of_developer on campaigns (developer_id) where status = 'DRAFT';
create index participations_open_of_tester on participations (tester_id) where closed_at is null;
create index payments_declined_of_developer on payments (developer_id, created_at) where status = 'FAILED';
