/** A database and processes for one measurement, removed afterwards. Uses only the loopback interface. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { signAccessToken, useJwtSecret as keepJwtSecret } from '../src/kit/server/session.ts'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { unlimited } from '../src/kit/server/limits.ts'
import { migrate } from '../src/kit/server/migrate.ts'
import { projectRoot } from '../src/kit/server/root.ts'
import type { Role } from '../src/kit/roles.ts'
import { urlOf } from '../src/testing/databases.ts'
import { startFlags } from '../src/testing/processes.ts'

export type Place = {
  url: string
  db: pg.Client
  /** Starts bench/serve.ts (`app`, the real application) or bench/bare.ts; resolves with its address once it listens. */
  serve: (what: 'serve' | 'bare', more?: unknown) => Promise<string>
  /** The process that listens at an address. */
  pidOf: (address: string) => number
  tokenFor: (role: Role, id: string) => Promise<string>
  close: () => Promise<void>
}

const jwtSecret = randomBytes(48).toString('hex')

/** Creates a database: on an embedded PostgreSQL with its usual, durable settings, or next to the one of DATABASE_URL. */
export const openPlace = async (): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-bench-'))
  const given = process.env.DATABASE_URL
  const postgres = given ? undefined : await startPostgres({ dataDir: folder })
  const server = new pg.Client({ connectionString: given ?? postgres!.connectionString })
  await server.connect()
  const name = `fieldtest_bench_${process.pid}`
  await server.query(`create database ${name}`)
  const url = urlOf(given ?? postgres!.connectionString, name)
  await migrate(url)
  const db = new pg.Client({ connectionString: url, options: unlimited })
  await db.connect()
  keepJwtSecret(jwtSecret)
  const children: ChildProcess[] = []
  const pids = new Map<string, number>()
  return {
    url,
    db,
    serve: async (what, more = {}) => {
      const child = fork(join(import.meta.dirname, `${what}.ts`), {
        cwd: projectRoot,
        // The bare server runs on plain Node.
        execArgv: what === 'serve' ? startFlags() : [],
        env: {
          ...process.env,
          NODE_ENV: '',
          DATABASE_URL: url,
          DATA_DIR: folder,
          JWT_SECRET: jwtSecret,
          RATE_LIMIT: 'off',
        },
      })
      children.push(child)
      child.send(more as object)
      const failed = once(child, 'exit').then(([code]) => {
        throw new Error(`bench/${what}.ts ended with ${String(code)}`)
      })
      const [address] = (await Promise.race([once(child, 'message'), failed])) as [string]
      failed.catch(() => undefined)
      pids.set(address, child.pid!)
      return address
    },
    pidOf: address => pids.get(address)!,
    tokenFor: (role, id) => signAccessToken({ id, role, sessionId: randomUUID() }),
    close: async () => {
      for (const child of children.filter(one => one.exitCode === null && one.signalCode === null)) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      await db.end()
      // A forced drop fails while a vacuum is running; without force, the vacuum is canceled.
      await server.query(`drop database ${name}`)
      await server.end()
      await postgres?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Inserts users of one role, and resolves with their ids. */
export const addPeople = async (db: pg.Client, role: Role, count: number): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `insert into users (id, email, name, role, password_hash, country, created_at)
     select gen_random_uuid(), lower($1) || n || '@bench.test', $1 || ' ' || n, $1, 'none', 'DE', now()
     from generate_series(1, $2::int) n returning id`,
    [role, count],
  )
  return rows.map(({ id }) => id)
}

let campaignsMade = 0

/** Inserts campaigns, spread evenly over their owners. Their ids are ordered by time, like the product's. */
export const addCampaigns = async (
  db: pg.Client,
  owners: readonly string[],
  input: { count: number; seats: number; liveEvery: number },
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `insert into campaigns (id, developer_id, title, description, platform, distribution_link, testers_required,
       pay_per_tester_cents, duration_days, daily_check_in, countries, country_codes, status, fee_basis_points,
       quoted_fee_cents, created_at, start_date, end_date)
     select (lpad(to_hex(1760000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       ($1::uuid[])[1 + n % cardinality($1::uuid[])],
       'Campaign ' || n || ' ' || md5('title' || n),
       'Use the app each day. ' || repeat(md5('text' || n) || ' ', 6),
       case when n % 3 = 0 then 'ios' else 'android' end, 'https://example.test/' || n, $3, 1000, 14, true, '{}', '{}',
       case when n % $4 = 0 then 'LIVE' else 'DRAFT' end, 1500, 150 * $3, now(), now(), now() + interval '14 days'
     from generate_series($5::int + 1, $5::int + $2::int) n returning id`,
    [owners, input.count, input.seats, input.liveEvery, campaignsMade],
  )
  campaignsMade += input.count
  return rows.map(({ id }) => id)
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.trunc(sorted.length / 2)] ?? Number.NaN
}

/** A whole number from the command line: `--rounds 3`. */
export const option = (name: string, preset: number, most: number): number => {
  const place = process.argv.indexOf(`--${name}`)
  const value = place < 0 ? preset : Number(process.argv[place + 1])
  if (!Number.isInteger(value) || value < 1 || value > most) throw new Error(`--${name} must be 1 to ${most}`)
  return value
}
