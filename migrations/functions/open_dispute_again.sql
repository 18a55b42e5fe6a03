-- A bank may take the money of a won dispute again. The provider has then moved it once more than it had when the dispute was won:
-- the dispute is open again from now on, and change_dispute books how it ends. News that is older has moved no more, and changes
-- nothing.
create or replace function open_dispute_again(p_provider text, p_reference text, p_movements int, p_now timestamptz) returns boolean
  language plpgsql as $$
declare
  d disputes := lock_dispute(p_provider, p_reference);
begin
  if d.id is null or d.status <> 'WON' or p_movements <= d.movements then return false; end if;
  update disputes set status = 'OPEN', closed_at = null, closed_by = null, reopened_at = p_now where id = d.id;
  update campaigns set frozen_at = coalesce(frozen_at, p_now), disputed_since = (
      select min(coalesce(reopened_at, opened_at)) from disputes where campaign_id = d.campaign_id and status = 'OPEN')
    where id = d.campaign_id;
  return true;
end $$;
