-- The campaign no longer wants what it is being charged for; whatever is paid anyway is refunded. Returns the charges. The caller
-- has locked the campaign's row.
create or replace function end_charges(p_campaign uuid, p_now timestamptz) returns uuid[] language plpgsql as $$
declare ended uuid[];
begin
  with marked as (
    update charges set ended_at = p_now where campaign_id = p_campaign and status = 'PENDING' and ended_at is null returning id
  )
  select coalesce(array_agg(id), '{}') into ended from marked;
  return ended;
end $$;
