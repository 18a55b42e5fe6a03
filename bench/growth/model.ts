/**
 * Defines the seeded data as SQL functions and views in a separate schema. Everything derives from a row's number, so that no step
 * needs another step's rows, and an interrupted seed continues where it stopped.
 */

/** The people and campaigns at scale 1. Tests, check-ins and money follow from them. */
const whole = { users: 1_000_000, campaigns: 300_000 }

/** The same at every scale, because their cost must not grow with other people's rows. */
const busy = { campaigns: 2_000, tests: 500 }

/** A word that occurs in the descriptions of this many campaigns. */
export const rare = { word: 'zebrafinch', hits: 15 }

export type Model = {
  users: number
  campaigns: number
  /** The end of the history, in SQL. */
  now: string
}

export const modelOf = (scale: number, nowIso: string): Model => ({
  users: Math.round(whole.users * scale),
  campaigns: Math.round(whole.campaigns * scale),
  now: `timestamptz '${nowIso}'`,
})

/** The busy developer's number (`growth.user_id`). The busy tester is 17, the first of the testers. */
const busyDeveloper = 16

export type Step = {
  name: string
  /** Set if the numbers from 1 to this count are divided among transactions; otherwise the step is a single one. */
  of?: 'users' | 'campaigns'
  sql: (from: number, to: number) => string
}

/** Ids sort by time, like the product's (version 7 UUIDs); `kind` keeps the ids of different tables apart. */
const ids = `
  create or replace function growth.h(n bigint, salt int) returns bigint immutable parallel safe language sql as
    $$ select hashint8extended(n, salt) & 9223372036854775807 $$;
  create or replace function growth.id(at timestamptz, kind int, n bigint) returns uuid stable parallel safe language sql as
    $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
      || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;`

/**
 * Users 1 to 15 are admins, every sixteenth user is a developer, and all others are testers. Those with campaigns or tests (the
 * first 80 % of the developers and 40 % of the testers) registered before the first campaign.
 */
const people = ({ users, now }: Model) => {
  const place = `(n::float8 / ${users})`
  const days = (early: number) => `case when ${place} < ${early} then 1100 - 365 * ${place} / ${early}
    else 735 * (1 - (${place} - ${early}) / ${1 - early}) end`
  // Kept simple, with declared volatility, so that PostgreSQL inlines them.
  return `
  create or replace function growth.user_at(n bigint) returns timestamptz stable parallel safe language sql as $$
    select date_trunc('milliseconds', ${now} - interval '1 day' * case
      when n < 16 then 1100 when n % 16 = 0 then ${days(0.8)} else ${days(0.4)} end) $$;
  create or replace function growth.user_id(n bigint) returns uuid stable parallel safe language sql as
    $$ select growth.id(growth.user_at(n), 1, n) $$;
  create or replace function growth.tester_n(t bigint) returns bigint immutable parallel safe language sql as
    $$ select 17 + t / 15 * 16 + t % 15 $$;`
}

/** Half of the seats go to the busiest 5 % of the testers, the others to the next 35 %. Nobody is in one campaign twice. */
const chosenTester = ({ users }: Model) => {
  const testers = Math.trunc((users - 16) / 16) * 15
  const odd = Math.max(Math.trunc(testers * 0.05), 150)
  const even = Math.max(Math.trunc(testers * 0.35), 200)
  return `case when ordinal = 1 and p.has_busy_tester then 0
    when ordinal % 2 = 1 then 1 + (growth.h(p.n, 21) % ${odd} + ordinal / 2) % ${odd}
    else 1 + ${odd} + (growth.h(p.n, 22) % ${even} + ordinal / 2) % ${even} end`
}

/** Testers who have never been in a test, for the benches. */
export const unusedTester = ({ users }: Model, pick: string): string => {
  const testers = Math.trunc((users - 16) / 16) * 15
  const used = Math.max(Math.trunc(testers * 0.05), 150) + Math.max(Math.trunc(testers * 0.35), 200) + 1
  return `growth.tester_n(${used} + (${pick}) % ${testers - used})`
}

/** One row for each campaign: its terms, its progress, and the state of its tests. */
const plan = ({ users, campaigns, now }: Model) => {
  const developers = Math.trunc((Math.trunc(users / 16) - 1) * 0.8)
  // Selects this many campaigns, spread evenly.
  const some = (count: number) => `n * ${count} / ${campaigns} <> (n - 1) * ${count} / ${campaigns}`
  return `
  create table if not exists growth.plan as
  with base as (
    select n, growth.h(n, 1) % 1000 as dice, growth.h(n, 2) % 1000 as state,
      ${some(Math.round(busy.tests * 1.25))} as has_busy_tester,
      date_trunc('milliseconds', ${now} - interval '1 second' * (86400 * 730 * (1 - n::float8 / ${campaigns}))) as created_at,
      n::float8 / ${campaigns} > 1 - 40.0 / 730 as is_recent,
      case when ${some(busy.campaigns)} then ${busyDeveloper}
        else 16 * (2 + trunc(${developers - 1} * power(growth.h(n, 3) % 1000000 / 1e6::float8, 1.5)))::bigint end as developer_n
    from generate_series(1, ${campaigns}) n
  ), terms as (
    select *, case when dice = 0 or n = ${campaigns} then 100 when dice < 10 then 30 when dice < 100 then 15
        when dice < 750 then 12 else 5 end as seats,
      (array[500, 800, 1000, 1200, 2000])[1 + growth.h(n, 4) % 5] as pay,
      case when is_recent then (array[7, 14])[1 + growth.h(n, 5) % 2]
        else (array[5, 5, 5, 5, 5, 5, 7, 7, 7, 14])[1 + growth.h(n, 5) % 10] end as days,
      case when n = ${campaigns} then 'LIVE'
        when is_recent then case when state < 150 then 'DRAFT' when state < 200 then 'PENDING_APPROVAL'
          when state < 250 then 'APPROVED' when state < 280 then 'REJECTED' when state < 350 then 'PAUSED'
          else 'LIVE' end
        else case when state < 30 then 'DRAFT' when state < 40 then 'REJECTED' when state < 90 then 'CANCELLED'
          else 'COMPLETED' end end as status,
      case when n % 3 = 0 then 'ios' else 'android' end as platform,
      case when n % 3 <> 0 and n % 5 = 0 then 'EMAIL_LIST' else 'OPEN_LINK' end as access_mode
    from base
  ), dated as (
    select *, case when is_recent then greatest(created_at, date_trunc('milliseconds', ${now} - interval '1 second'
        * (86400 * (0.2 + growth.h(n, 6) % 1200 / 100.0))))
      else created_at + interval '30 hours' end as start_at,
      -- Of a campaign that runs: how many of its seats are taken, in percent.
      case when growth.h(n, 7) % 10 < 4 then 100 else 30 + growth.h(n, 8) % 60 end as filled
    from terms
  ), counted as (
    select *, status in ('LIVE', 'PAUSED') as runs,
      status in ('LIVE', 'PAUSED') and days = 7 and start_at < ${now} - interval '9 days' as proofs_are_in,
      case when status in ('LIVE', 'PAUSED') then greatest(seats * filled / 100, 1) end as taken
    from dated
  ), stands as (
    select *, case when status = 'COMPLETED' then seats - case when growth.h(n, 9) % 10 = 0 then 1 + seats / 5 else 0 end
        when status = 'CANCELLED' then seats / 4
        when proofs_are_in then taken / 4 else 0 end::int as verified,
      case when proofs_are_in then taken / 6 else 0 end::int as submitted,
      case when proofs_are_in and taken >= 12 then 1 else 0 end as changes,
      case when status = 'COMPLETED' and growth.h(n, 10) % 10 = 0 then 1 else 0 end as rejected,
      case when status in ('COMPLETED', 'CANCELLED') or runs then growth.h(n, 11) % 3 else 0 end::int as dropped,
      case when status = 'CANCELLED' then seats / 2 else 0 end::int as cancelled,
      case when status = 'LIVE' and taken < seats and growth.h(n, 12) % 20 = 0 then 1 else 0 end as closed_seats,
      status = 'LIVE' and taken < seats and access_mode = 'OPEN_LINK' and growth.h(n, 12) % 20 in (1, 2) as offered
    from counted
  ), filled_up as (
    select *, case when runs then taken - verified - submitted - changes else 0 end::int as active,
      pay * 15 / 100 as fee_share, pay * (days / 2) / days as cancelled_pay,
      case when status in ('COMPLETED', 'CANCELLED') then start_at + days * interval '1 day' + interval '6 days' end as closed_at,
      case when status = 'LIVE' and taken = seats and access_mode = 'OPEN_LINK' and growth.h(n, 13) % 4 = 0 then 1 + (growth.h(n, 14) % least(seats, 4))::int
        when offered then 1 else 0 end as bench
    from stands
  )
  select n, growth.id(created_at, 2, n) as id, developer_n, status, platform, access_mode, seats, pay, days, created_at,
    start_at, closed_at, has_busy_tester, fee_share, cancelled_pay, bench, offered, closed_seats, runs,
    verified, submitted, changes, active, rejected, dropped, cancelled,
    submitted + changes + active as open,
    verified + submitted + changes + active + rejected + dropped + cancelled as tests,
    status <> 'DRAFT' as funded,
    case when status = 'DRAFT' then 0 when runs then (seats - verified - closed_seats) * pay
      when closed_at is not null then 0 else seats * pay end as escrow,
    case when status = 'DRAFT' then 0 when runs then (seats - verified - closed_seats) * fee_share
      when closed_at is not null then 0 else seats * fee_share end as held_fee,
    case when status = 'DRAFT' then 0 else verified * pay + cancelled * cancelled_pay end as paid
  from filled_up;
  create index if not exists plan_by_n on growth.plan (n);
  analyze growth.plan;
  create table if not exists growth.money as
  select *, growth.user_id(developer_n) as developer_id, growth.id(paid_at, 4, n) as payment_id,
    growth.id(refund_at, 5, n) as refund_id, growth.id(refund_at, 6, n) as part_id
  from (select *, case when funded then seats * pay - paid - escrow else 0 end as back_pay,
      case when funded then (seats - verified) * fee_share - held_fee else 0 end as back_fee,
      created_at + interval '20 minutes' as paid_at, coalesce(closed_at, start_at + interval '2 hours') as refund_at
    from growth.plan) reckoned;
  create index if not exists money_by_n on growth.money (n);
  analyze growth.money;`
}

/** The columns of a test, whoever takes part. `offset 0` keeps PostgreSQL from computing a column again for each use. */
const tests = (model: Model, from: number, to: number) => `
  select step.*, growth.id(joined_at, 3, n * 256 + ordinal) as id, growth.user_id(tester_n) as tester_id,
    case when status in ('VERIFIED', 'REJECTED') then joined_at + days * interval '1 day' + interval '20 hours'
      when status = 'DROPPED' then joined_at + interval '4 days'
      when status = 'CANCELLED' then campaign_closed_at end as closed_at,
    case when status in ('VERIFIED', 'SUBMITTED', 'CHANGES_REQUESTED', 'REJECTED') then days
      when status = 'DROPPED' then 1
      when status = 'CANCELLED' then days / 2
      when waits then 0
      -- One of twenty has not been seen for days.
      else greatest(least(days, 1 + extract(epoch from ${model.now} - joined_at)::bigint / 86400)
        - case when growth.h(n * 256 + ordinal, 31) % 20 = 0 then 3 else 0 end, 0) end::int as check_ins,
    case status when 'VERIFIED' then pay when 'CANCELLED' then cancelled_pay else 0 end as cents
  from (select *, growth.tester_n(t) as tester_n from (
    select p.n, p.id as campaign_id, p.developer_id, p.days, p.pay, p.cancelled_pay, p.fee_share, p.access_mode, p.platform,
      p.closed_at as campaign_closed_at, p.status as campaign_status, ordinal, ${chosenTester(model)} as t,
      case when ordinal <= p.verified then 'VERIFIED'
        when ordinal <= p.verified + p.submitted then 'SUBMITTED'
        when ordinal <= p.verified + p.submitted + p.changes then 'CHANGES_REQUESTED'
        when ordinal <= p.verified + p.submitted + p.changes + p.active then 'ACTIVE'
        when ordinal <= p.tests - p.dropped - p.cancelled then 'REJECTED'
        when ordinal <= p.tests - p.cancelled then 'DROPPED' else 'CANCELLED' end as status,
      p.access_mode = 'EMAIL_LIST' and ordinal % 10 = 0 and p.runs
        and ordinal between p.verified + p.submitted + p.changes + 1 and p.verified + p.open as waits,
      date_trunc('milliseconds', p.start_at + least(ordinal * interval '29 minutes', (${model.now} - p.start_at) * 0.3)) as joined_at
    from growth.money p, generate_series(1, p.tests) ordinal where p.n between ${from} and ${to}
    offset 0) first offset 0) step`

export const modelSql = (model: Model): string =>
  [
    ids,
    people(model),
    plan(model),
    `create table if not exists growth.tests as ${tests(model, 0, 0)};
     create index if not exists tests_by_n on growth.tests using brin (n)`,
  ].join('\n')

/** Computes the tests once, for the many steps that read them. */
export const reckonTests = (model: Model): Step => ({
  name: 'the tests of the model',
  of: 'campaigns',
  sql: (from, to) => `insert into growth.tests ${tests(model, from, to)} order by n, ordinal`,
})
