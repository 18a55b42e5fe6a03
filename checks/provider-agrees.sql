-- What we booked with the sandbox provider agrees with what it remembers: no money moved that only one side knows of.
with elsewhere as (
  select subject_id from provider_calls
    where provider <> 'sandbox' and status = 'DONE' /*touched and subject_id = any (:touched) */
), ours as (
  select id as request_id, 'CHARGE' as kind, amount_cents, amount_cents as off_cents from payments
    where provider = 'sandbox' and status = 'COMPLETED' /*touched and id = any (:touched) */
  union all select id, 'PAYOUT', amount_cents, amount_cents from withdrawals w
    where (status = 'COMPLETED' or returned_at is not null) and not exists (select from elsewhere e where e.subject_id = w.id)
    /*touched and id = any (:touched) */
  union all select id, 'REFUND', cents, cents from refund_parts r
    -- The provider did not pay what a bank or somebody else paid, unless it did so as well; and it may have paid too much.
    cross join lateral (select case when r.dispute_id is null
        and not exists (select from outside_refunds o where o.part_id = r.id and o.outcome = 'PAID') then r.amount_cents else 0 end
      + (select coalesce(sum(o.amount_cents), 0) from over_refunds o where o.part_id = r.id
        and o.outcome is distinct from 'CAME_BACK')::bigint as cents) paid
    where status = 'COMPLETED' and cents > 0 and not exists (select from elsewhere e where e.subject_id = r.id)
    /*touched and id = any (:touched) */
), theirs as (
  select request_id, kind, amount_cents, amount_cents as off_cents from sandbox_movements
    where decline_reason is null /*touched and request_id = any (:touched) */
)
(select 'only ours' as side, * from ours except select 'only ours', * from theirs)
union all
(select 'only theirs', t.* from theirs t where not exists (select from ours o where o.request_id = t.request_id)
  -- It was paid a moment ago, and its job is about to record it.
  and not exists (select from withdrawals w where w.id = t.request_id and w.status = 'PENDING')
  and not exists (select from charges c where c.id = t.request_id and c.status = 'PENDING')
  and not exists (select from refund_parts r where r.id = t.request_id and r.status = 'PENDING'));
