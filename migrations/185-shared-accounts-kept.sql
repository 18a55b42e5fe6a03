-- Which testers of a campaign got in with one Google account, once an address is erased: the first of their tests, and nothing that
-- was made from the address. Null for everybody else.
alter table play_addresses add column same_account uuid;

-- Since when a dispute that had been won is open again; opened_at stays when it was opened first.
alter table disputes add column reopened_at timestamptz;

-- Events stay as they are, except that an admin's reason for rejecting a campaign is erased with the campaign's texts.
drop trigger campaign_events_append_only on campaign_events;
create trigger campaign_events_append_only before update on campaign_events for each row
  when (new.kind <> 'REJECTED'
    or (new.id, new.campaign_id, new.at, new.kind) is distinct from (old.id, old.campaign_id, old.at, old.kind)
    or new.participation_id is distinct from old.participation_id
    or new.facts is distinct from old.facts || '{"reason": "Deleted"}') execute function refuse_change();
create trigger campaign_events_kept before delete or truncate on campaign_events
  for each statement execute function refuse_change();
