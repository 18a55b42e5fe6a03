-- Gives back what a campaign that has ended no longer owes. It still owes the pay and a fee share for each open
-- participation. While these can fill the last of all seats, the rounding of the fee is kept for that one.
create or replace function refund_unused(p_refund uuid, p_campaign uuid, p_now timestamptz)
  returns void language plpgsql as $$
declare
  c campaigns;
  fee_share bigint;
begin
  select * into strict c from campaigns where id = p_campaign;
  fee_share := c.quoted_fee_cents / c.testers_required;
  perform refund_surplus(p_refund, p_campaign, c.open_testers * c.pay_per_tester_cents,
    case when c.open_testers > 0 and c.open_testers + c.verified_testers = c.testers_required
      then c.quoted_fee_cents - c.verified_testers * fee_share else c.open_testers * fee_share end, p_now);
end $$;
