-- A verified tester was paid in full and once, a cancelled one the days done (also by refusing a changed NDA) or one day
-- for having waited in vain to be listed, nobody else anything.
select p.id, p.status, p.payout_amount_cents, coalesce(sum(t.amount_cents), 0) as paid_cents,
  coalesce(sum(t.amount_cents), 0) - case when p.status in ('VERIFIED', 'CANCELLED') then p.payout_amount_cents else 0 end
    as off_cents
from participations p
left join transfers t on t.business_key in ('verify-pay:' || p.id, 'cancel-pay:' || p.id, 'waiting-pay:' || p.id,
  'nda-pay:' || p.id, 'appeal-goodwill:' || p.id)
/*touched where p.id = any (:touched) */
group by p.id
having count(t.id) > 1 or coalesce(sum(t.amount_cents), 0) <>
  case when p.status in ('VERIFIED', 'CANCELLED') then p.payout_amount_cents else 0 end;
