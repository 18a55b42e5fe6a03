-- How often changes were requested of one test: three times at most (src/participations/rules.ts).
alter table participations add column changes_requested int not null default 0 check (changes_requested >= 0);
update participations set changes_requested = asked.times
  from (select participation_id, count(*) as times from campaign_events where kind = 'CHANGES_REQUESTED' group by 1) asked
  where asked.participation_id = participations.id;
