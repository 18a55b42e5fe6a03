-- Locks a dispute, after its campaign, whose row keeps changes of its disputes one after the other. All null if there is no such
-- dispute.
create or replace function lock_dispute(p_provider text, p_reference text) returns disputes language plpgsql as $$
declare d disputes;
begin
  perform from campaigns where id = (select campaign_id from disputes where provider = p_provider and reference = p_reference)
    for update;
  select * into d from disputes where provider = p_provider and reference = p_reference for update;
  return d;
end $$;
