-- Refunds what campaigns no longer owe, each with the refund id at its position. While a campaign runs, it owes the pay and a fee
-- share for each seat that is neither verified nor closed; after its end, for each open participation. While one of these can be
-- the last of all seats, the rounding of the fee is kept for it.
create or replace function refund_all_unused(p_refunds uuid[], p_campaigns uuid[], p_now timestamptz)
  returns void language plpgsql as $$
begin
  perform refund_surpluses(array_agg(refund), array_agg(c.id), array_agg(owed * c.pay_per_tester_cents),
      array_agg(case when owed > 0 and owed + settled = c.testers_required
        then c.quoted_fee_cents - settled * fee_share else owed * fee_share end), p_now)
    from unnest(p_refunds, p_campaigns) given (refund, campaign) join campaigns c on c.id = campaign
      cross join lateral (select c.verified_testers + c.closed_seats as settled,
        c.quoted_fee_cents / c.testers_required as fee_share) seats
      cross join lateral (select case when c.status in ('LIVE', 'PAUSED') then c.testers_required - settled
        else c.open_testers end as owed) owing;
end $$;
