/**
 * `npm run demo`: fills an empty database with a realistic marketplace and 90 days of history, played through the product's own
 * use cases and clock, so that every screen has content and the books balance. Refused in production.
 *
 *     npm run demo                                   # the embedded database in DATA_DIR (default ./data)
 *     DATABASE_URL=postgres://… npm run demo
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { clock } from '../src/kit/clock.ts'
import { startBackend } from '../src/app/server/boot.ts'
import { type Database, openDatabase } from '../src/app/server/database.ts'
import { autocommit, sql } from '../src/kit/server/db.ts'
import { type Env, readEnv } from '../src/app/server/env.ts'
import { bringJobsForward, runDueJobs, runScheduledJobs } from '../src/kit/server/dueJobs.ts'
import { DataFolderInUse } from '../src/kit/postgres/embedded.ts'
import { runChecks } from '../src/testing/checks.ts'
import { completeCampaigns } from '../src/campaigns/server/campaigns.ts'
import { withdraw } from '../src/ledger/server/payouts.ts'
import { balance } from '../src/ledger/server/statements.ts'
import { turnBenches } from '../src/participations/server/bench.ts'
import { wakeParticipations } from '../src/participations/server/participations.ts'
import { plans } from './demo/campaigns.ts'
import { planCampaign } from './demo/marketplace.ts'
import { admin, developers, testers } from './demo/people.ts'
import { daysOfHistory, touchSessions, newDemo, unlessRefused, type Demo } from './demo/context.ts'
import { optionsOf } from './options.ts'

optionsOf({})

/** Not a secret, since the demo is refused in production. */
const demoPassword = 'fieldtest-demo'

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const assertEmpty = async () => {
  const others = await autocommit.maybe(sql`select from users where role <> 'ADMIN' limit 1`)
  const taken = await autocommit.maybe(sql`select from users where email = ${admin.email}`)
  if (!others && !taken) return
  throw new Error(
    'This database already has users, and the demo only fills an empty one. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
  )
}

/** A server on the same database would take the testers for silent for 90 days, and drop them all. */
const assertAlone = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(`select from pg_stat_activity
      where datname = current_database() and application_name = 'fieldtest' limit 1`)
    if (rowCount) throw new Error('A Fieldtest server is running on this database. Stop it first.')
  } finally {
    await client.end()
  }
}

/** Runs delayed and scheduled jobs. */
const liveThroughJobs = async () => {
  await bringJobsForward(24)
  await runScheduledJobs()
  await runDueJobs()
}

const playHistory = async (demo: Demo) => {
  await demo.time.live({
    hourly: async () => {
      await wakeParticipations.run({})
      await turnBenches.run({})
      await completeCampaigns.run({})
    },
    daily: async day => {
      await liveThroughJobs()
      if (day % 10 === 0) say(`  day ${String(day).padStart(2)} of ${daysOfHistory}`)
    },
  })
}

/** At the very end two testers request withdrawals, which stay pending for a day after the demo. */
const requestPayouts = async ({ testers: people }: Demo) => {
  let asked = 0
  for (const { user, acts } of people) {
    const { balanceCents } = await balance(user)
    if (asked === 2 || balanceCents < 2000) continue
    if (await unlessRefused(['PAYOUT_METHOD_PAUSED'], () => withdraw(acts(), 1500, crypto.randomUUID()))) asked++
  }
  await runDueJobs()
  await bringJobsForward(-24)
}

const assertBooksBalance = async () => {
  const broken = await runChecks(text => autocommit.raw(text) as Promise<{ rows: unknown[] }>)
  if (broken.length === 0) return
  throw new Error(`The data checks found violations:\n${JSON.stringify(broken, null, 2)}`)
}

const tell = async () => {
  const counts = await autocommit.rows<{ status: string; count: number }>(
    sql`select status, count(*) as count from campaigns group by 1 order by 1`,
  )
  const { tests, days } = await autocommit.one<{ tests: number; days: number }>(
    sql`select (select count(*) from participations) as tests, (select count(*) from check_ins) as days`,
    'Count',
  )
  say(`\nCampaigns: ${counts.map(({ status, count }) => `${count} ${status}`).join(', ')}`)
  say(`${tests} tests with ${days} check-ins. All data checks hold.`)
  say(`\nSign in with the password ${demoPassword} as`)
  say(`  admin      ${admin.email}`)
  for (const { email } of developers) say(`  developer  ${email}`)
  for (const { email } of testers.slice(0, 3)) say(`  tester     ${email}`)
  say(`and as any other of the ${testers.length} testers. Start the server with npm start.`)
}

const onError = (error: unknown) => {
  throw error
}

const fill = async (env: Env, { url, ownerUrl }: Database) => {
  const quick = new URL(url)
  // If the machine crashes now, only the demo is lost.
  if (!quick.searchParams.has('options')) quick.searchParams.set('options', '-c synchronous_commit=off')
  const scratch = await mkdtemp(join(tmpdir(), 'fieldtest-demo-'))
  // Emails are written to the temporary folder and deleted with it.
  const settings: Env = {
    ...env,
    DATA_DIR: scratch,
    SMTP_URL: undefined,
    FIELDTEST_TEST_CLOCK: false,
  }
  try {
    await assertAlone(url)
    // The server needs the same key, to decrypt what was encrypted here, and what the sandbox has paid.
    const stop = await startBackend(settings, quick.href, { ownerUrl, onError, work: false, lastingIn: env.DATA_DIR })
    try {
      await assertEmpty()
      say(`Playing through ${daysOfHistory} days …`)
      const demo = await newDemo(demoPassword)
      for (const plan of plans) planCampaign(demo, plan)
      await playHistory(demo)
      await liveThroughJobs()
      await requestPayouts(demo)
      await touchSessions(demo, demoPassword)
      await assertBooksBalance()
      await tell()
    } finally {
      clock.setOffsetMs(0)
      await stop()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const main = async () => {
  const env = readEnv(process.env)
  if (env.production) throw new Error('The demo cannot run with NODE_ENV=production.')
  const startedAt = performance.now()
  const database = await openDatabase(env, {
    log: say,
    onUnexpectedExit: why => {
      process.stderr.write(`${why}\n`)
      process.exit(1)
    },
  })
  try {
    await fill(env, database)
  } finally {
    await database.stop()
  }
  say(`(${Math.trunc((performance.now() - startedAt) / 1000)} s)`)
}

try {
  await main()
} catch (error) {
  const hint = error instanceof DataFolderInUse ? ' The demo needs the folder to itself.' : ''
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${hint}\n`)
  process.exitCode = 1
}
