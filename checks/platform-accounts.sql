-- The platform's own accounts, which carry no balance, hold what the rows behind them say: cash is what the provider
-- took for us less what it paid out, revenue is the fee share of every verified seat, and what is in
-- transit is what withdrawals and refunds wait for. Whoever settles the last of all seats takes the rounding of the fee:
-- where that seat was closed, the developer got it back. What the platform paid for undecided appeals is off its revenue.
with booked as (
  select a.kind,
    coalesce((select sum(amount_cents) from transfers where credit_account_id = a.id), 0)
      - coalesce((select sum(amount_cents) from transfers where debit_account_id = a.id), 0) as cents
  from accounts a where a.owner_id is null
), expected (kind, cents) as (
  -- Cash is the account that all money comes from, so what came in stands on its debit side.
  select 'PROVIDER_CASH', (select coalesce(sum(amount_cents), 0) from refund_parts where status = 'COMPLETED')
    + (select coalesce(sum(amount_cents), 0) from withdrawals where status = 'COMPLETED')
    - (select coalesce(sum(amount_cents), 0) from payments where status = 'COMPLETED')
  union all
  select 'PLATFORM_REVENUE', coalesce(sum(verified_testers * (quoted_fee_cents / testers_required)
    + case when verified_testers + closed_seats < testers_required then 0
        when closed_seats = 0 then quoted_fee_cents % testers_required
        else least(fee_cents - verified_testers * (quoted_fee_cents / testers_required),
          quoted_fee_cents % testers_required) end), 0)
    - (select coalesce(sum(c.pay_per_tester_cents), 0) from appeals a join participations p on p.id = a.participation_id
      join campaigns c on c.id = p.campaign_id where a.outcome = 'PLATFORM') from campaigns
  union all
  select 'PAYOUTS_IN_TRANSIT', coalesce(sum(amount_cents), 0) from withdrawals where status = 'PENDING'
  union all
  select 'REFUNDS_IN_TRANSIT', coalesce(sum(amount_cents), 0) from refund_parts where status = 'PENDING'
)
select kind, booked.cents as booked_cents, expected.cents as expected_cents
from booked full join expected using (kind) where booked.cents is distinct from expected.cents;
