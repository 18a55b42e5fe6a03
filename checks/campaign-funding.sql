-- What a campaign says was paid in, net of refunds, is what its transfers say.
select c.id, c.status, c.funded_cents, paid.pay_in, paid.pay_back, c.fee_cents, paid.fee_in, paid.fee_back
from campaigns c
cross join lateral (
  select
    coalesce(sum(t.amount_cents) filter (where t.business_key like 'fund-pay:%'), 0) as pay_in,
    coalesce(sum(t.amount_cents) filter (where t.business_key like 'refund-pay:%'), 0) as pay_back,
    coalesce(sum(t.amount_cents) filter (where t.business_key like 'fund-fee:%'), 0) as fee_in,
    coalesce(sum(t.amount_cents) filter (where t.business_key like 'refund-fee:%'), 0) as fee_back
  from transfers t where t.campaign_id = c.id
) paid
where c.funded_cents <> paid.pay_in - paid.pay_back or c.fee_cents <> paid.fee_in - paid.fee_back;
