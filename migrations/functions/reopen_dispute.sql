-- Opens a won dispute again without saying since when.
-- Retired: open_dispute_again came instead.
create or replace function reopen_dispute(p_provider text, p_reference text, p_movements int) returns boolean
  language plpgsql as $$
declare
  d disputes := lock_dispute(p_provider, p_reference);
begin
  if d.id is null or d.status <> 'WON' or p_movements <= d.movements then return false; end if;
  update disputes set status = 'OPEN', closed_at = null, closed_by = null where id = d.id;
  update campaigns set disputed_since = (select min(opened_at) from disputes where campaign_id = d.campaign_id and status = 'OPEN')
    where id = d.campaign_id;
  return true;
end $$;
