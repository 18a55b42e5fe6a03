-- A changed Google Group waits for an admin as a changed link does: they are asked for together, and decided together.
alter table campaigns
  add column pending_group_link text,
  add constraint campaigns_pending_group check (pending_group_link is null
    or (link_requested_at is not null and link_request is not null and status in ('LIVE', 'PAUSED')
      and access_mode = 'GOOGLE_GROUP'));
drop index campaigns_pending_link;
create index campaigns_pending_link on campaigns (link_request)
  where pending_link is not null or pending_group_link is not null;

create or replace function forget_pending_link() returns trigger language plpgsql as $$
begin
  new.pending_link := null;
  new.pending_group_link := null;
  return new;
end $$;

-- How many of the last finished tests were given up: the share is read from the index alone (docs/metrics.md).
create index participations_finished on participations (closed_at desc) include (status)
  where status in ('VERIFIED', 'REJECTED', 'DROPPED');
