-- When the tester of an entry was told of an offer last: a pause takes it back, and each start offers anew (decision 025).
alter table bench_entries add column told_at timestamptz;
-- How many seats who has left a bench has let pass: coming back does not begin anew.
create table bench_passes (
  campaign_id uuid not null references campaigns (id),
  tester_id uuid not null references users (id),
  passes int not null check (passes > 0),
  primary key (campaign_id, tester_id)
);
create index bench_passes_of_tester on bench_passes (tester_id);
