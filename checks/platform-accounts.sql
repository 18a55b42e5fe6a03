-- The platform's own accounts, which carry no balance, agree with the rows behind them. Cash is what the provider took for us,
-- less what it paid out and kept. Revenue is the fee share of every verified seat, less what the platform paid for undecided
-- appeals. Money in transit is what charges, withdrawals and refunds wait for; a refused refund is owed until it is tried again.
-- What was paid by other means is still held by the provider, and the platform owes it to the operator; what was paid twice is
-- owed by developers. The last of all seats takes the rounding of the fee; if that seat was closed, the developer gets it. What
-- banks took back is owed to the platform as far as it is neither covered, nor set off against refunds, which the provider then
-- did not pay, nor settled with the operator, who owes that to the platform. What deleted testers gave up is on their statements.
with moved as /*touched materialized (
  -- All transfers of a campaign, of a withdrawal, or of an account that was given up: what is expected of each agrees with its
  -- own transfers. The transfers come first and then the accounts, since starting from an account would read its whole history.
  select credit_account_id, debit_account_id, amount_cents from transfers where id in (
    select id from transfers where campaign_id = any (:touched)
    union select id from transfers where campaign_id is null and business_key = any (:keys || array(
      select kind || id from unnest(:touched) id,
        (values ('withdraw:'), ('payout:'), ('payout-back:'), ('payout-returned:'), ('given-up:')) kinds (kind))))
), ever_moved as */ not materialized (
  select * from transfers
), booked as (
  select a.kind, sum(side.cents) as cents
  from accounts a
  join (select credit_account_id as account_id, amount_cents as cents from moved
    union all select debit_account_id, -amount_cents from moved) side on side.account_id = a.id
  where a.owner_id is null
  group by a.id
), paid as not materialized (
  select * from payments /*touched where campaign_id = any (:touched) */
), asked as not materialized (
  select * from charges where status = 'PENDING' /*touched and campaign_id = any (:touched) */
), withdrawn as not materialized (
  select * from withdrawals /*touched where id = any (:touched) */
), given_back as not materialized (
  select p.*, exists (select from provider_calls where subject_id = p.id and status = 'PENDING')
      or exists (select from outside_refunds o where o.part_id = p.id and o.outcome is null) as is_called,
    (select o.amount_cents from outside_refunds o where o.part_id = p.id and o.outcome = 'PAID') as outside_cents
  from refund_parts p /*touched where refund_id in (select id from refunds where campaign_id = any (:touched)) */
), twice as not materialized (
  select o.* from over_refunds o join given_back p on p.id = o.part_id
), disputed as not materialized (
  select * from disputes /*touched where campaign_id = any (:touched) */
), lost as not materialized (
  select * from lost_movements where kind = 'CHARGE' /*touched and 'provider-fee:' || id = any (:keys) */
), of_lost_disputes as not materialized (
  select * from lost_dispute_bookings /*touched where business_key = any (:keys) */
), of_accounts as not materialized (
  select * from account_fees /*touched where id = any (:touched) */
), expected (kind, cents) as (
  -- All money comes from the cash account, so what came in is on its debit side.
  select 'PROVIDER_CASH', (select coalesce(sum(amount_cents - coalesce(outside_cents, 0)), 0) from given_back where status = 'COMPLETED'
      and dispute_id is null)
    + (select coalesce(sum(amount_cents), 0) from twice where outcome is distinct from 'CAME_BACK')
    + (select coalesce(sum(amount_cents), 0) from withdrawn where status = 'COMPLETED')
    + (select coalesce(sum(provider_fee_cents), 0) from paid)
    + (select coalesce(sum(amount_cents), 0) from disputed where status = 'LOST')
    + (select coalesce(sum(provider_fee_cents), 0) from disputed)
    + (select coalesce(sum(fee_cents), 0) from lost)
    + (select coalesce(sum(cents), 0) from of_lost_disputes)
    + (select coalesce(sum(amount_cents), 0) from of_accounts)
    - (select coalesce(sum(amount_cents), 0) from paid where status = 'COMPLETED')
    - (select coalesce(sum(pay_cents + fee_cents), 0) from asked)
  union all
  select 'PAYMENTS_IN_TRANSIT', coalesce(sum(pay_cents + fee_cents), 0) from asked
  union all
  select 'PROVIDER_FEES', -(select coalesce(sum(provider_fee_cents), 0) from paid)
    - (select coalesce(sum(provider_fee_cents), 0) from disputed)
    - (select coalesce(sum(fee_cents), 0) from lost)
    - (select coalesce(sum(cents), 0) from of_lost_disputes where kind = 'FEE')
    - (select coalesce(sum(amount_cents), 0) from of_accounts)
  union all
  select 'DISPUTES_RECEIVABLE', -coalesce(sum(amount_cents - covered_cents - set_off_cents - settled_cents), 0)
    - (select coalesce(sum(cents), 0) from of_lost_disputes where kind = 'LOSS') from disputed where status = 'LOST'
  union all
  select 'PLATFORM_REVENUE', coalesce(sum(verified_testers * (quoted_fee_cents / testers_required)
    + case when verified_testers + closed_seats < testers_required then 0
        when closed_seats = 0 then quoted_fee_cents % testers_required
        else least(fee_cents - coalesce((select balance_cents from accounts where kind = 'CAMPAIGN_FEE' and owner_id = campaigns.id), 0)
            - verified_testers * (quoted_fee_cents / testers_required),
          quoted_fee_cents % testers_required) end), 0)
    - (select coalesce(sum(c.pay_per_tester_cents), 0) from appeals a join participations p on p.id = a.participation_id
      join campaigns c on c.id = p.campaign_id where a.outcome = 'PLATFORM' /*touched and c.id = any (:touched) */)
  from campaigns /*touched where id = any (:touched) */
  union all
  select 'PAYOUTS_IN_TRANSIT', coalesce(sum(amount_cents), 0) from withdrawn where status = 'PENDING'
  union all
  select 'REFUNDS_IN_TRANSIT', coalesce(sum(amount_cents), 0) from given_back where status = 'PENDING' and is_called
  union all
  select 'REFUNDS_OWED', coalesce(sum(amount_cents), 0) from given_back where status = 'PENDING' and not is_called
  union all
  select 'PAID_OUTSIDE', (select coalesce(sum(outside_cents), 0) from given_back)
    - (select coalesce(sum(amount_cents), 0) from twice where outcome = 'SETTLED')
    - (select coalesce(sum(settled_cents), 0) from disputed)
  union all
  select 'REFUNDS_OVERPAID', -coalesce(sum(amount_cents), 0) from twice where outcome is null
  union all
  select 'GIVEN_UP', coalesce(sum(t.amount_cents), 0) from users u join transactions t on t.user_id = u.id and t.type = 'DEBIT'
    where u.role = 'TESTER' and u.deleted_at is not null /*touched and t.source_id = any (:touched) */
)
select kind, coalesce(booked.cents, 0) as booked_cents, expected.cents as expected_cents,
  coalesce(booked.cents, 0) - coalesce(expected.cents, 0) as off_cents
from booked full join expected using (kind) where coalesce(booked.cents, 0) <> coalesce(expected.cents, 0);
