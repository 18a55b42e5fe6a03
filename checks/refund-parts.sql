-- The parts of a refund add up to it, it is done once all of them are, and no payment gives back more than it took in. A refund
-- from before there were parts has one part with the refund's own id, and went to one payment whatever was left of it. What was
-- paid by means other than the provider is a paid part, for all that was left of it.
select 'refund' as what, r.id, r.amount_cents, sum(p.amount_cents) as parts_cents,
  r.amount_cents - coalesce(sum(p.amount_cents), 0) as off_cents
from refunds r left join refund_parts p on p.refund_id = r.id
/*touched where r.id = any (:touched) */
group by r.id
having coalesce(sum(p.amount_cents), 0) <> r.amount_cents
  or bool_and(p.status = 'COMPLETED') is distinct from (r.status = 'COMPLETED')
union all
select 'payment', pay.id, pay.amount_cents, sum(p.amount_cents), greatest(sum(p.amount_cents) - pay.amount_cents, 0)
from payments pay join refund_parts p on p.payment_id = pay.id
/*touched where pay.id = any (:touched) */
group by pay.id
having (pay.status = 'FAILED' or sum(p.amount_cents) > pay.amount_cents) and bool_and(p.id <> p.refund_id)
union all
select 'paid by other means', p.id, p.amount_cents, o.amount_cents,
  abs(p.amount_cents - coalesce(p.covered_cents, 0) - o.amount_cents)
from outside_refunds o join refund_parts p on p.id = o.part_id
where (o.outcome = 'PAID' and p.status <> 'COMPLETED' or o.outcome is null and p.status <> 'PENDING'
    or (o.outcome is null or o.outcome = 'PAID') and o.amount_cents <> p.amount_cents - coalesce(p.covered_cents, 0))
  /*touched and p.id = any (:touched) */
union all
select 'campaign', p.id, p.amount_cents, null, 0
from refund_parts p join refunds r on r.id = p.refund_id join payments pay on pay.id = p.payment_id
where pay.campaign_id <> r.campaign_id /*touched and p.id = any (:touched) */;
