/** Payments, refunds, withdrawals, and the ledger behind them: everything that checks/*.sql add up. */
import type { Model, Step } from './model.ts'

/** The ids of the platform's own accounts, which migrations created. */
export type PlatformAccounts = Record<
  'PROVIDER_CASH' | 'PLATFORM_REVENUE' | 'PAYOUTS_IN_TRANSIT' | 'REFUNDS_IN_TRANSIT',
  string
>

const within = (from: number, to: number) => `where n between ${from} and ${to}`

const escrow = '(100 + 2 * n)'
const heldFee = '(101 + 2 * n)'
const walletOf = ({ campaigns }: Model) => `(${200 + 2 * campaigns} + t)`

const payments: Step[] = [
  {
    name: 'payments',
    of: 'campaigns',
    sql: (from, to) => `
      insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, created_at)
      select payment_id, id, developer_id, seats * (pay + fee_share), 'sandbox', 'card', 'COMPLETED', paid_at
      from growth.money ${within(from, to)} and funded order by n`,
  },
  {
    name: 'refunds',
    of: 'campaigns',
    sql: (from, to) => `
      insert into refunds (id, campaign_id, developer_id, amount_cents, status, created_at, settled_at)
      select refund_id, id, developer_id, back_pay + back_fee, 'COMPLETED', refund_at, refund_at + interval '1 minute'
      from growth.money ${within(from, to)} and back_pay + back_fee > 0 order by n`,
  },
  {
    name: 'refund parts',
    of: 'campaigns',
    sql: (from, to) => `
      insert into refund_parts (id, refund_id, payment_id, counterparty, amount_cents, status, settled_at)
      select part_id, refund_id, payment_id, 'card', back_pay + back_fee, 'COMPLETED', refund_at + interval '1 minute'
      from growth.money ${within(from, to)} and back_pay + back_fee > 0 order by n`,
  },
]

/** What each tester has earned, and how often they withdrew: about once for every 30 dollars. */
const earned = ({ now }: Model): Step => ({
  name: 'earnings',
  sql: () => `
    create table growth.earned as
    select t, growth.tester_n(t) as tester_n, cents, least(cents / 3000, 40)::int as times,
      case when cents >= 3000 then cents * 9 / 10 / least(cents / 3000, 40) / 10 * 10 end as each_cents
    from (select t, sum(cents)::bigint as cents from growth.tests where cents > 0 group by t) sums;
    create table growth.taken as
    select t, tester_n, k, each_cents, growth.user_id(tester_n) as tester_id, growth.id(at, 7, t * 64 + k) as id, at, status
    from (
      select *, case when dice = 0 then 'PENDING' when dice < 3 then 'FAILED' else 'COMPLETED' end as status,
        date_trunc('milliseconds', ${now} - interval '1 minute'
          * (growth.h(t * 64 + k, 82) % case when dice = 0 then 1000 else 900000 end)) as at
      from (select e.*, k, growth.h(t * 64 + k, 81) % 100 as dice from growth.earned e, generate_series(1, times) k) each_one
    ) dated order by at;
    analyze growth.earned; analyze growth.taken`,
})

const withdrawals: Step = {
  name: 'withdrawals',
  sql: () => `
    insert into withdrawals (id, tester_id, amount_cents, destination, status, failure_reason, created_at, settled_at)
    select id, tester_id, each_cents, 'pay' || tester_n || '@example.test', status,
      case when status = 'FAILED' then 'The account is closed.' end, at, case when status <> 'PENDING' then at + interval '1 minute' end
    from growth.taken order by at`,
}

const movements: Step = {
  name: 'sandbox movements',
  sql: () => `
    insert into sandbox_movements (request_id, kind, amount_cents, counterparty, at)
    select id, 'CHARGE', amount_cents, counterparty, created_at from payments
    union all select id, 'REFUND', amount_cents, counterparty, settled_at from refund_parts
    union all select id, 'PAYOUT', amount_cents, destination, settled_at from withdrawals where status = 'COMPLETED'`,
}

const accounts = (model: Model): Step => ({
  name: 'accounts',
  sql: () => `
    insert into accounts (id, kind, owner_id, balance_cents) overriding system value
      select ${escrow}, 'CAMPAIGN_ESCROW', id, escrow from growth.plan where funded
      union all select ${heldFee}, 'CAMPAIGN_FEE', id, held_fee from growth.plan where funded
      union all select ${walletOf(model)}, 'TESTER_BALANCE', growth.user_id(tester_n),
        cents - coalesce(out_cents, 0)
        from growth.earned left join (select t, sum(each_cents) as out_cents from growth.taken where status <> 'FAILED' group by t) gone using (t);
    select setval(pg_get_serial_sequence('accounts', 'id'), (select max(id) from accounts))`,
})

const transfers = (model: Model, own: PlatformAccounts): Step[] => [
  {
    name: 'transfers of campaigns',
    of: 'campaigns',
    sql: (from, to) => `
      insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, campaign_id, at)
      select key, debit, credit, cents, campaign_id, at from (
        select n, m.campaign_id, m.key, m.debit, m.credit, m.cents, m.at
        from growth.money cross join lateral (values
          (id, 'fund-pay:' || payment_id, ${own.PROVIDER_CASH}, ${escrow}, seats * pay, paid_at, funded),
          (id, 'fund-fee:' || payment_id, ${own.PROVIDER_CASH}, ${heldFee}, seats * fee_share, paid_at, funded),
          (id, 'refund-pay:' || refund_id, ${escrow}, ${own.REFUNDS_IN_TRANSIT}, back_pay, refund_at, back_pay > 0),
          (id, 'refund-fee:' || refund_id, ${heldFee}, ${own.REFUNDS_IN_TRANSIT}, back_fee, refund_at, back_fee > 0),
          (id, 'refund-out:' || part_id, ${own.REFUNDS_IN_TRANSIT}, ${own.PROVIDER_CASH}, back_pay + back_fee, refund_at,
            back_pay + back_fee > 0)) m (campaign_id, key, debit, credit, cents, at, happened)
        ${within(from, to)} and m.happened
        union all
        select n, campaign_id, m.key, m.debit, m.credit, m.cents, closed_at
        from growth.tests cross join lateral (values
          ('verify-pay:' || id, ${escrow}, ${walletOf(model)}, cents, status = 'VERIFIED'),
          ('verify-fee:' || id, ${heldFee}, ${own.PLATFORM_REVENUE}, fee_share, status = 'VERIFIED'),
          ('cancel-pay:' || id, ${escrow}, ${walletOf(model)}, cents, status = 'CANCELLED' and cents > 0))
          m (key, debit, credit, cents, happened)
        ${within(from, to)} and m.happened
      ) moved order by n, at`,
  },
  {
    name: 'transfers of withdrawals',
    sql: () => `
      insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, at)
      select m.key, m.debit, m.credit, each_cents, at from growth.taken cross join lateral (values
        ('withdraw:' || id, ${walletOf(model)}, ${own.PAYOUTS_IN_TRANSIT}, true),
        ('payout:' || id, ${own.PAYOUTS_IN_TRANSIT}, ${own.PROVIDER_CASH}, status = 'COMPLETED'),
        ('payout-back:' || id, ${own.PAYOUTS_IN_TRANSIT}, ${walletOf(model)}, status = 'FAILED')) m (key, debit, credit, happened)
      where m.happened order by at`,
  },
]

const statements: Step[] = [
  {
    name: 'statements of campaigns',
    of: 'campaigns',
    sql: (from, to) => `
      insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
      select user_id, type, 'COMPLETED', cents, description, campaign_id, source_id, at from (
        select n, developer_id as user_id, l.type, l.cents, l.description, id as campaign_id, l.source_id, l.at
        from growth.money cross join lateral (values
          ('DEBIT', seats * pay, 'Testers’ pay', payment_id, paid_at, funded),
          ('FEE', seats * fee_share, 'Platform fee', payment_id, paid_at, funded),
          ('CREDIT', back_pay + back_fee, 'Refund', refund_id, refund_at, back_pay + back_fee > 0))
          l (type, cents, description, source_id, at, happened)
        ${within(from, to)} and l.happened
        union all
        select n, tester_id, 'CREDIT', cents, case when status = 'VERIFIED' then 'Verified test'
          else format('Cancelled test, %s of %s days', check_ins, days) end, campaign_id, null, closed_at
        from growth.tests ${within(from, to)} and cents > 0
      ) lines order by n, at`,
  },
  {
    name: 'statements of withdrawals',
    sql: () => `
      insert into transactions (user_id, type, status, amount_cents, description, source_id, created_at)
      select tester_id, l.type, l.state, each_cents, l.description, id, at from growth.taken cross join lateral (values
        ('PAYOUT', status, 'Withdrawal to pay' || tester_n || '@example.test', true),
        ('CREDIT', 'REFUNDED', 'Withdrawal returned', status = 'FAILED')) l (type, state, description, happened)
      where l.happened order by at`,
  },
]

export const moneySteps = (model: Model, own: PlatformAccounts): Step[] => [
  ...payments,
  earned(model),
  withdrawals,
  movements,
  accounts(model),
  ...transfers(model, own),
  ...statements,
]
