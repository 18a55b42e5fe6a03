-- Reputation (decision 040): the newest ended tests of a tester, and of a developer, in one step of an index each.

-- Whose campaign it was. Set when the test ends, so that nothing about joining is slower.
alter table participations add column developer_id uuid;
update participations p set developer_id = c.developer_id from campaigns c
  where c.id = p.campaign_id and p.closed_at is not null;

create function name_developer() returns trigger language plpgsql as $$
begin
  select developer_id into strict new.developer_id from campaigns where id = new.campaign_id;
  return new;
end $$;
create trigger participations_name_developer before update on participations for each row
  when (old.closed_at is null and new.closed_at is not null) execute function name_developer();
create trigger participations_name_developer_at_once before insert on participations for each row
  when (new.closed_at is not null) execute function name_developer();

create index participations_ended_of_tester on participations (tester_id, closed_at desc) where closed_at is not null;
create index participations_reviewed_of_developer on participations (developer_id, closed_at desc)
  where closed_at is not null and status in ('VERIFIED', 'REJECTED');
create index participations_rejected_of_developer on participations (developer_id, closed_at desc)
  where closed_at is not null and rejection_code is not null;
