-- Accepts a proof: the pay goes to the tester, the seat's share of the fee to the platform; the last seat takes the
-- rounding. Without a reviewer it is the clock that decides, and only once the time for review is over.
create or replace function verify_participation(p_participation uuid, p_reviewer uuid, p_now timestamptz)
  returns text language plpgsql as $$
declare
  c campaigns;
  p participations;
  held_fee bigint;
  fee_share bigint;
begin
  select campaigns.* into c from campaigns join participations on participations.campaign_id = campaigns.id
    where participations.id = p_participation for update of campaigns;
  if not found then return 'NOT_FOUND'; end if;
  select * into strict p from participations where id = p_participation for update;
  if p.status <> 'SUBMITTED' or (p_reviewer is null and p.wake_at > p_now) then return 'WRONG_STATE'; end if;

  held_fee := account_of('CAMPAIGN_FEE', c.id);
  fee_share := c.quoted_fee_cents / c.testers_required;
  if c.verified_testers + c.closed_seats + 1 = c.testers_required then
    select balance_cents into strict fee_share from accounts where id = held_fee;
  end if;
  perform pay_tester('verify-pay:' || p.id, c, p.tester_id, c.pay_per_tester_cents, 'Verified test', p_now);
  perform post_transfer('verify-fee:' || p.id, held_fee, account_of('PLATFORM_REVENUE', null), fee_share, c.id, p_now);
  update participations set status = 'VERIFIED', reviewed_at = p_now, reviewed_by = p_reviewer, closed_at = p_now,
    wake_at = null, at_risk = false where id = p.id;
  update campaigns set open_testers = open_testers - 1, verified_testers = verified_testers + 1 where id = c.id;
  return 'OK';
end $$;
