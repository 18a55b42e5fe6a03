-- What a campaign says was paid in, net of refunds and of what covers payments that a bank took back, agrees with its transfers.
-- A payment that arrived after the campaign had ended it is refunded directly, without passing through the campaign.
select c.id, c.status, c.funded_cents, paid.pay_in, paid.pay_back, c.fee_cents, paid.fee_in, paid.fee_back,
  abs(c.funded_cents - paid.pay_in + paid.pay_back) + abs(c.fee_cents - paid.fee_in + paid.fee_back) as off_cents
from campaigns c
cross join lateral (
  select
    coalesce(sum(t.amount_cents) filter (where t.business_key like any (array['fund-pay:%', 'uncovered-pay:%'])), 0) as pay_in,
    coalesce(sum(t.amount_cents) filter (where t.phase = 'SINGLE'
      and t.business_key like any (array['refund-pay:%', 'covered-pay:%'])), 0) as pay_back,
    coalesce(sum(t.amount_cents) filter (where t.business_key like any (array['fund-fee:%', 'uncovered-fee:%'])), 0) as fee_in,
    coalesce(sum(t.amount_cents) filter (where t.phase = 'SINGLE'
      and t.business_key like any (array['refund-fee:%', 'covered-fee:%'])), 0) as fee_back
  from transfers t where t.campaign_id = c.id
) paid
where (c.funded_cents <> paid.pay_in - paid.pay_back or c.fee_cents <> paid.fee_in - paid.fee_back)
  /*touched and c.id = any (:touched) */;
