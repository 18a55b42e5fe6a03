-- What we booked with the sandbox provider is what it remembers: no money moved that only one side knows of.
with ours as (
  select id as request_id, 'CHARGE' as kind, amount_cents from payments
    where provider = 'sandbox' and status = 'COMPLETED'
  union all select id, 'PAYOUT', amount_cents from withdrawals where status = 'COMPLETED'
  union all select id, 'REFUND', amount_cents from refund_parts where status = 'COMPLETED'
), theirs as (
  select request_id, kind, amount_cents from sandbox_movements where decline_reason is null
)
(select 'only ours' as side, * from ours except select 'only ours', * from theirs)
union all
(select 'only theirs', t.* from theirs t where not exists (select from ours o where o.request_id = t.request_id)
  -- Paid a moment ago, and about to be recorded by its job.
  and not exists (select from withdrawals w where w.id = t.request_id and w.status = 'PENDING')
  and not exists (select from refund_parts r where r.id = t.request_id and r.status = 'PENDING'));
