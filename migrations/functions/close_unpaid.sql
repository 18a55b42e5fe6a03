-- Closes a participation without pay: REJECTED by a reviewer, or DROPPED by its tester or by the clock. Its seat is
-- free again; in a campaign that was cancelled meanwhile its money goes back.
-- p_when_due: only when its time is over, so that a check-in in the same second wins.
create or replace function close_unpaid(p_participation uuid, p_from text[], p_to text, p_reviewer uuid, p_code text,
  p_reason text, p_drop_reason text, p_when_due boolean, p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
begin
  select campaigns.* into c from campaigns join participations on participations.campaign_id = campaigns.id
    where participations.id = p_participation for update of campaigns;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict p from participations where id = p_participation for update;
  if p.status <> all (p_from) or (p_when_due and p.wake_at > p_now) then return 'WRONG_STATE'; end if;

  update participations set status = p_to, rejection_code = p_code, rejection_reason = p_reason,
    drop_reason = p_drop_reason, payout_amount_cents = 0, closed_at = p_now, wake_at = null, at_risk = false,
    reviewed_at = case when p_to = 'REJECTED' then p_now else reviewed_at end,
    reviewed_by = coalesce(p_reviewer, reviewed_by) where id = p.id;
  update campaigns set open_testers = open_testers - 1, seats_taken = seats_taken - 1 where id = c.id;
  if c.status = 'CANCELLED' then perform refund_unused(p_refund, c.id, p_now); end if;
  perform offer_seats(c.id, false, p_now);
  return 'OK';
end $$;
