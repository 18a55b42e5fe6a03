-- Completes campaigns whose `completes_at` has passed. What they do not owe is refunded to their developers, each with the refund
-- id at its position. Returns the campaigns that were completed.
create or replace function complete_campaigns(p_campaigns uuid[], p_refunds uuid[], p_now timestamptz)
  returns uuid[] language plpgsql as $$
declare due uuid[];
begin
  select array_agg(id) into due from (
    select id from campaigns where id = any (p_campaigns) and completes_at <= p_now order by id for update) held;
  if due is null then return '{}'; end if;
  update campaigns set status = 'COMPLETED', status_changed_at = p_now, closed_at = p_now where id = any (due);
  perform refund_all_unused(array_agg(refund), array_agg(id), p_now)
    from unnest(p_campaigns, p_refunds) as ended (id, refund) where id = any (due);
  return due;
end $$;
