-- A verified tester was paid in full and once, a cancelled one the days done, nobody else anything.
select p.id, p.status, p.payout_amount_cents, coalesce(sum(t.amount_cents), 0) as paid_cents
from participations p
left join transfers t on t.business_key in ('verify-pay:' || p.id, 'cancel-pay:' || p.id)
group by p.id
having coalesce(sum(t.amount_cents), 0) <>
  case when p.status in ('VERIFIED', 'CANCELLED') then p.payout_amount_cents else 0 end;
