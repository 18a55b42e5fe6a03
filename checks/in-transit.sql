-- Money in transit is exactly what withdrawals and refunds wait for.
with totals as (
  select a.kind,
    coalesce((select sum(amount_cents) from transfers where credit_account_id = a.id), 0)
      - coalesce((select sum(amount_cents) from transfers where debit_account_id = a.id), 0) as cents
  from accounts a where a.kind in ('PAYOUTS_IN_TRANSIT', 'REFUNDS_IN_TRANSIT')
), waiting as (
  select 'PAYOUTS_IN_TRANSIT' as kind, coalesce(sum(amount_cents), 0) as cents from withdrawals where status = 'PENDING'
  union all
  select 'REFUNDS_IN_TRANSIT', coalesce(sum(amount_cents), 0) from refunds where status = 'PENDING'
)
select totals.kind, totals.cents as held_cents, waiting.cents as waiting_cents
from totals join waiting using (kind) where totals.cents <> waiting.cents;
