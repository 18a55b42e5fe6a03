-- The campaign no longer wants what is being charged for it; what is paid all the same goes back. Gives the charges. The caller
-- holds the campaign's row.
create or replace function end_charges(p_campaign uuid, p_now timestamptz) returns uuid[] language plpgsql as $$
declare ended uuid[];
begin
  with marked as (
    update charges set ended_at = p_now where campaign_id = p_campaign and status = 'PENDING' and ended_at is null returning id
  )
  select coalesce(array_agg(id), '{}') into ended from marked;
  return ended;
end $$;
