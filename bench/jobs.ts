/**
 * Measures work that falls due: how long the scheduled jobs take for this many tests of each kind, and how many jobs a queue runs
 * per second. Each kind is made due, handled by the clock's job, and removed before the next. Takes about ten minutes.
 *
 *     node bench/jobs.ts [--rows 100000] [--jobs 2000] [--only reminded]
 *
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { startBackend } from '../src/app/server/boot.ts'
import { readEnv } from '../src/app/server/env.ts'
import { completeCampaigns } from '../src/campaigns/server/completing.ts'
import { transact } from '../src/kit/server/db.ts'
import { enqueueMany, type Job } from '../src/kit/server/jobs.ts'
import { during, jobLimits, workOf } from '../src/kit/server/limits.ts'
import { payRefund } from '../src/ledger/server/calls.ts'
import { notice, notifyMany, sendMail } from '../src/notifications/server/notifications.ts'
import { remindTesters, wakeParticipations } from '../src/participations/server/participations.ts'
import { busySeconds } from './busy.ts'
import { addPeople, openPlace, option } from './place.ts'

const place = await openPlace()
const rows = option('rows', 100_000, 1_000_000)
const jobs = option('jobs', 2_000, 100_000)
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
const seats = 50
const checkInDays = 14

/** `$1` campaigns that are full and paid for, each with its accounts and its payment. */
const makeCampaigns = `
  with made as (
    insert into campaigns (id, developer_id, title, description, platform, distribution_link, testers_required,
      pay_per_tester_cents, duration_days, daily_check_in, countries, country_codes, status, fee_basis_points,
      quoted_fee_cents, funded_cents, fee_cents, created_at, start_date, end_date, access_mode, seats_taken, open_testers,
      joins_ever)
    select gen_random_uuid(), ($2::uuid[])[1 + n % cardinality($2::uuid[])], 'Campaign ' || n, 'Use it.', 'android',
      'https://example.test', $3::int, 1000, 30, true, '{}', '{}', 'LIVE', 1500, 150 * $3::int, 1000 * $3::int, 150 * $3::int,
      now() - interval '20 days', now() - interval '20 days', now() + $5::interval, $4, $6::int, $6::int, $6::int
    from generate_series(1, $1::int) n returning id, developer_id
  ), escrow as (
    insert into accounts (kind, owner_id, balance_cents) select 'CAMPAIGN_ESCROW', id, 1000 * $3::int from made
  ), fees as (
    insert into accounts (kind, owner_id, balance_cents) select 'CAMPAIGN_FEE', id, 150 * $3::int from made
  )
  insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, created_at)
    select gen_random_uuid(), id, developer_id, 1150 * $3::int, 'sandbox', 'card', 'COMPLETED', now() from made`

/** A tester in each seat of the campaigns, with the status `$2`; all of the tests are due. */
const makeTests = `
  insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
      proof_allowed_at, last_seen_at, proof_text, proof_submitted_at, payout_amount_cents, wake_at, check_in_count)
    select gen_random_uuid(), c.id, ($1::uuid[])[1 + (c.place * 50 + seat) % cardinality($1::uuid[])], seat, $2, 'Pixel 8', 'UTC',
      now() - interval '16 days', case when $5::boolean then null else now() + interval '14 days' end, now() - $3::interval,
      case when $2 = 'SUBMITTED' then 'Done.' end, case when $2 = 'SUBMITTED' then now() - $3::interval end, 1000,
      now() - interval '1 minute', 0
    from (select id, row_number() over (order by id) as place from campaigns where status = 'LIVE' and end_date > now()) c,
      generate_series(1, $4::int) seat`

type Kind = { name: string; status: string; silent: string; mode: 'OPEN_LINK' | 'EMAIL_LIST'; job: Job<object> }

const kinds: Kind[] = [
  { name: 'warned', status: 'ACTIVE', silent: '50 hours', mode: 'OPEN_LINK', job: wakeParticipations },
  { name: 'dropped', status: 'ACTIVE', silent: '73 hours', mode: 'OPEN_LINK', job: wakeParticipations },
  { name: 'verified', status: 'SUBMITTED', silent: '73 hours', mode: 'OPEN_LINK', job: wakeParticipations },
  { name: 'wait ended', status: 'ACTIVE', silent: '16 days', mode: 'EMAIL_LIST', job: wakeParticipations },
  { name: 'reminded', status: 'ACTIVE', silent: '20 hours', mode: 'OPEN_LINK', job: remindTesters },
]

/** These tables refuse deletions. */
const appendOnly = ['accounts', 'transfers', 'campaign_events']

const clear = async (db: pg.Client) => {
  const triggers = (on: string) => appendOnly.map(table => `alter table ${table} ${on} trigger user;`).join('')
  await db.query(`${triggers('disable')}
    truncate notifications, participations, check_ins, campaign_events, transfers, transactions, refunds, payments, campaigns cascade;
    delete from accounts where owner_id is not null; delete from pgboss.job; ${triggers('enable')}`)
}

const count = async (db: pg.Client, what: string) =>
  Number((await db.query<{ n: string }>(`select count(*) as n from ${what}`)).rows[0]!.n)

type Due = { db: pg.Client; owners: string[]; testers: string[] }

const makeDue = async ({ db, owners, testers }: Due, { status, silent, mode, job }: Kind) => {
  await clear(db)
  await db.query(makeCampaigns, [rows / seats, owners, seats, mode, '30 days', seats])
  await db.query(makeTests, [testers, status, silent, seats, mode !== 'OPEN_LINK'])
  await db.query(`insert into check_ins (participation_id, day, at)
    select id, current_date - 1 - day, now() - interval '1 day' * day from participations, generate_series(1, ${checkInDays}) day`)
  if (job === remindTesters)
    await db.query(`update reminders set remind_at = now() - interval '1 minute';
      update participations set wake_at = now() + interval '1 day'`)
  await db.query('vacuum analyze')
}

type Measured = { seconds: number; postgres: number; node: number }

const timed = async (job: Job<object>): Promise<Measured> => {
  const [start, postgres, node] = [performance.now(), busySeconds(place.url), process.cpuUsage()]
  await during(workOf('jobs', jobLimits), () => job.run({}))
  const used = process.cpuUsage(node)
  return {
    seconds: (performance.now() - start) / 1000,
    postgres: busySeconds(place.url) - postgres,
    node: (used.user + used.system) / 1_000_000,
  }
}

const line = (name: string, done: number, { seconds, postgres, node }: Measured, told: number) =>
  console.log(
    name.padEnd(24) +
      String(done).padStart(9) +
      `${seconds.toFixed(1)} s`.padStart(10) +
      (done / seconds).toFixed(0).padStart(10) +
      `${postgres.toFixed(1)} s`.padStart(12) +
      `${node.toFixed(1)} s`.padStart(10) +
      String(told).padStart(10),
  )

const wanted = (name: string) => only === undefined || only === name

const scheduledJobs = async (due: Due) => {
  const { db } = due
  console.log(`${rows} due of each kind, ${seats} tests a campaign, ${checkInDays} check-ins a test`)
  console.log('what is due                  rows      time  a second  PostgreSQL      node   notices')
  for (const kind of kinds.filter(({ name }) => wanted(name))) {
    await makeDue(due, kind)
    const measured = await timed(kind.job)
    const left = await count(
      db,
      kind.job === remindTesters ? 'reminders where remind_at <= now()' : 'participations where wake_at <= now()',
    )
    if (left > 0) throw new Error(`${left} are still due`)
    line(kind.name, rows, measured, await count(db, 'notifications'))
  }
  if (!wanted('completed')) return
  await clear(db)
  // Half of the seats were never taken, so there is a refund for each campaign.
  await db.query(makeCampaigns, [rows, due.owners, 2, 'OPEN_LINK', '-1 minute', 0])
  await db.query('vacuum analyze')
  const measured = await timed(completeCampaigns)
  const completed = await count(db, `campaigns where status = 'COMPLETED'`)
  line('campaigns completed', completed, measured, await count(db, 'notifications'))
}

/** Waits until the queue is empty, without using a connection of the application. */
const drained = async (db: pg.Client, name: string) => {
  const start = performance.now()
  while ((await count(db, `pgboss.job where name = '${name}' and state < 'completed'`)) > 0) await pause(20)
  return (performance.now() - start) / 1000
}

const queues = async (db: pg.Client, userId: string) => {
  console.log(`\n${jobs} jobs that wait, one server`)
  console.log('queue                        jobs      time   a second')
  const fill: [{ name: string }, () => Promise<unknown>][] = [
    // The refunds do not exist, so this shows the cost of the queue itself.
    [
      payRefund,
      () =>
        transact(tx =>
          enqueueMany(
            tx,
            payRefund,
            Array.from({ length: jobs }, () => ({ refundId: crypto.randomUUID() })),
          ),
        ),
    ],
    [
      sendMail,
      () =>
        transact(tx =>
          notifyMany(
            tx,
            Array.from({ length: jobs }, () => notice(userId, 'BENCH_ENDED', { title: 'Queue', ended: true })),
          ),
        ),
    ],
  ]
  for (const [{ name }, enqueue] of fill) {
    await enqueue()
    const seconds = await drained(db, name)
    console.log(
      name.padEnd(24) +
        String(jobs).padStart(9) +
        `${seconds.toFixed(1)} s`.padStart(10) +
        (jobs / seconds).toFixed(0).padStart(10),
    )
  }
}

const folder = await mkdtemp(join(tmpdir(), 'fieldtest-jobs-'))
const fail = (error: unknown) => console.error(error)
const env = readEnv({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
try {
  const { db } = place
  // Only postings may set the balance of an account.
  await db.query(`set fieldtest.posting = 'on'`)
  const owners = await addPeople(db, 'DEVELOPER', 500)
  const testers = await addPeople(db, 'TESTER', 20_000)
  const idle = await startBackend(env, place.url, { onError: fail, work: false })
  if (only !== 'queues') await scheduledJobs({ db, owners, testers })
  await clear(db)
  await idle()
  if (wanted('queues')) {
    const working = await startBackend(env, place.url, { onError: fail })
    await queues(db, owners[0]!)
    await working()
  }
} catch (error) {
  fail(error)
  process.exitCode = 1
} finally {
  await place.close()
  await rm(folder, { recursive: true, force: true })
}
