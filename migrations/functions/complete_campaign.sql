-- The clock ends a campaign: no participation is open, and every seat is verified or closed, or its end has passed. What it does
-- not owe goes back to the developer.
create or replace function complete_campaign(p_campaign uuid, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  update campaigns set status = 'COMPLETED', status_changed_at = p_now, closed_at = p_now
    where id = p_campaign and status in ('LIVE', 'PAUSED') and open_testers = 0
      and (verified_testers + closed_seats = testers_required or end_date <= p_now);
  if not found then return 'WRONG_STATE'; end if;
  perform refund_unused(p_refund, p_campaign, p_now);
  return 'OK';
end $$;
