-- Pending money is resolved once and in full, either posted to its destination or returned to where it came from, and stays
-- pending no longer than what it waits for is open.
select 'resolved otherwise' as what, r.business_key, r.amount_cents, p.amount_cents as pending_cents,
  r.amount_cents - p.amount_cents as off_cents
from transfers r join transfers p on p.id = r.pending_id
where r.phase in ('POST', 'VOID') and (p.phase <> 'PENDING' or r.amount_cents <> p.amount_cents
  or r.debit_account_id <> p.credit_account_id or r.phase = 'VOID' and r.credit_account_id <> p.debit_account_id)
  /*touched and r.id in (select id from transfers where business_key = any (:keys) union select later.id
    from transfers earlier join transfers later on later.pending_id = earlier.id where earlier.business_key = any (:keys)) */
union all
select 'still pending', p.business_key, p.amount_cents, null, p.amount_cents
from transfers p
where p.phase = 'PENDING' /*touched and p.business_key = any (:keys || array(select kind || id from unnest(:touched) id,
    (values ('charge-pay:'), ('charge-fee:'), ('withdraw:'), ('refund-call:'), ('refund-outside:')) kinds (kind))) */ and not exists (select from transfers r where r.pending_id = p.id)
  -- One condition for each key, because a list of expressions could only be compared with every charge.
  and not exists (select from charges c where c.status = 'PENDING' and p.business_key = 'charge-pay:' || c.id)
  and not exists (select from charges c where c.status = 'PENDING' and p.business_key = 'charge-fee:' || c.id)
  and not exists (select from withdrawals w where w.status = 'PENDING' and p.business_key = 'withdraw:' || w.id)
  and not exists (select from provider_calls c where c.kind = 'REFUND' and c.status = 'PENDING'
    and p.business_key = 'refund-call:' || c.id)
  and not exists (select from outside_refunds o where o.outcome is null and p.business_key = 'refund-outside:' || o.id);
