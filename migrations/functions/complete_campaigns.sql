-- The clock ends campaigns: no participation is open, and every seat is verified or closed, or the end has passed. One
-- that is disputed waits. What they do
-- not owe goes back to the developers, each in the refund of its place. Answers which ones were ended.
create or replace function complete_campaigns(p_campaigns uuid[], p_refunds uuid[], p_now timestamptz)
  returns uuid[] language plpgsql as $$
declare due uuid[];
begin
  select array_agg(id) into due from (
    select id from campaigns where id = any (p_campaigns) and status in ('LIVE', 'PAUSED') and open_testers = 0
      and disputed_since is null
      and (verified_testers + closed_seats = testers_required or end_date <= p_now) order by id for update) held;
  if due is null then return '{}'; end if;
  update campaigns set status = 'COMPLETED', status_changed_at = p_now, closed_at = p_now where id = any (due);
  perform refund_all_unused(array_agg(refund), array_agg(id), p_now)
    from unnest(p_campaigns, p_refunds) as ended (id, refund) where id = any (due);
  return due;
end $$;
