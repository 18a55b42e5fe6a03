-- Gives back what a campaign no longer owes. While it runs it owes the pay and a fee share for each seat that is neither
-- verified nor closed; after its end, for each open participation. While these can be the last of all seats, the rounding
-- of the fee is kept for the last one.
create or replace function refund_unused(p_refund uuid, p_campaign uuid, p_now timestamptz)
  returns void language plpgsql as $$
declare
  c campaigns;
  fee_share bigint;
  settled int;
  owed int;
begin
  select * into strict c from campaigns where id = p_campaign;
  fee_share := c.quoted_fee_cents / c.testers_required;
  settled := c.verified_testers + c.closed_seats;
  owed := case when c.status in ('LIVE', 'PAUSED') then c.testers_required - settled else c.open_testers end;
  perform refund_surplus(p_refund, p_campaign, owed * c.pay_per_tester_cents,
    case when owed > 0 and owed + settled = c.testers_required
      then c.quoted_fee_cents - settled * fee_share else owed * fee_share end, p_now);
end $$;
