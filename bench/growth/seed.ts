/** Fills a database with two years of a marketplace; see bench/growth.ts. */
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { unlimited } from '../../src/kit/server/limits.ts'
import { migrate } from '../../src/kit/server/migrate.ts'
import { projectRoot } from '../../src/kit/server/root.ts'
import { sealAddresses } from './addresses.ts'
import { putBack, takeOff } from './bare.ts'
import { type Model, modelOf, modelSql, reckonTests, type Step } from './model.ts'
import { moneySteps, type PlatformAccounts } from './money.ts'
import { peopleSteps } from './people.ts'
import { toldSteps } from './told.ts'
import { workSteps } from './work.ts'

/**
 * The seed writes the rows of this schema. Later migrations then run on top of them, as in an upgrade. So their back-fills complete
 * the rows, and we see how long each takes on large tables.
 */
const seededSchema = '041'

const tables = `users sessions refresh_tokens waitlist audit_log fraud_reports fraud_finding_parts fraud_scans campaigns
  participations check_ins opt_in_runs play_addresses play_counts bench_entries campaign_events payments refunds refund_parts
  withdrawals sandbox_movements accounts transfers transactions notifications attachments`.split(/\s+/)

const chunk = { users: 100_000, campaigns: 20_000 }

type Say = (line: string) => void

const migrateToSeededSchema = async (url: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-growth-'))
  try {
    const all = join(projectRoot, 'migrations')
    for (const name of readdirSync(all).filter(file => file.endsWith('.sql') && file.slice(0, 3) <= seededSchema)) {
      cpSync(join(all, name), join(folder, name))
    }
    mkdirSync(join(folder, 'functions'))
    await migrate(url, { folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const settings = `set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB';
  set max_parallel_maintenance_workers = 2; set timezone = 'UTC'`

/** Returns the same moment after an interruption. */
const begin = async (db: pg.Client, scale: number): Promise<Model> => {
  await db.query(`create schema if not exists growth;
    create table if not exists growth.facts (scale float8 not null, now text not null);
    create table if not exists growth.steps (name text primary key, done_at timestamptz not null)`)
  await db.query('insert into growth.facts select $1, $2 where not exists (select from growth.facts)', [
    scale,
    new Date().toISOString(),
  ])
  const { rows } = await db.query<{ scale: number; now: string }>('select scale, now from growth.facts')
  if (rows[0]!.scale !== scale) throw new Error(`this database was begun with --scale ${rows[0]!.scale}`)
  return modelOf(scale, rows[0]!.now)
}

/** Runs `work` and records it in the same transaction, so that it does not run a second time. */
const once = async (db: pg.Client, name: string, work: () => Promise<unknown>) => {
  const { rowCount } = await db.query('select from growth.steps where name = $1', [name])
  if (rowCount) return
  await db.query('begin')
  await work()
  await db.query('insert into growth.steps values ($1, now())', [name])
  await db.query('commit')
}

const runStep = async (db: pg.Client, { name, of, sql }: Step, model: Model, say: Say) => {
  const before = performance.now()
  const total = of ? model[of] : 1
  const size = of ? chunk[of] : 1
  for (let from = 1; from <= total; from += size) {
    const to = Math.min(from + size - 1, total)
    await once(db, of ? `${name} ${from}` : name, () => db.query(sql(from, to)))
  }
  say(`${((performance.now() - before) / 1000).toFixed(1).padStart(7)} s  ${name}`)
}

const platformAccounts = async (db: pg.Client) => {
  const { rows } = await db.query<{ kind: string; id: string }>('select kind, id from accounts where owner_id is null')
  return Object.fromEntries(rows.map(({ kind, id }) => [kind, id])) as PlatformAccounts
}

/** What the job `books.mark-balances` has done by the time a marketplace is two years old. */
const markBalances = async (db: pg.Client) => {
  await db.query('select settled_sequence()')
  const { rows } = await db.query<{ id: string }>('select id from accounts where balance_cents is null')
  for (const { id } of rows) {
    const mark = () => db.query<{ up_to: string | null }>('select mark_balance($1::bigint, 10000) as up_to', [id])
    while ((await mark()).rows[0]!.up_to !== null);
  }
}

/** Resolves when everything is seeded. After an interruption, another call continues where the seed stopped. */
export const seed = async (url: string, scale: number, say: Say): Promise<void> => {
  const db = new pg.Client({ connectionString: url, options: unlimited })
  await db.connect()
  try {
    const done = await db.query("select to_regclass('growth.steps') as steps")
    if ((done.rows[0] as { steps: unknown }).steps === null) await migrateToSeededSchema(url)
    await db.query(settings)
    const model = await begin(db, scale)
    await once(db, 'model', () => db.query(modelSql(model)))
    const { rowCount } = await db.query("select from growth.steps where name = 'bare'")
    if (!rowCount) await takeOff(db, tables)
    await once(db, 'bare', async () => undefined)
    const steps = [
      reckonTests(model),
      ...peopleSteps(model),
      ...workSteps(model),
      ...moneySteps(model, await platformAccounts(db)),
      ...toldSteps,
    ]
    for (const step of steps) await runStep(db, step, model, say)
    await once(db, 'addresses', () => sealAddresses(db, model))
    await putBack(db, say)
    await once(db, 'sequences', () =>
      db.query(`select setval('campaign_submissions', (select max(submission) from campaigns))`),
    )
    say('vacuum and analyze')
    await db.query('vacuum (analyze)')
    const before = performance.now()
    const applied = await migrate(url, { say })
    say(
      `${((performance.now() - before) / 1000).toFixed(1)} s for the migrations since ${seededSchema}: ${applied.length}`,
    )
    await markBalances(db)
    await db.query('vacuum (analyze)')
  } finally {
    await db.end()
  }
}
