/** A marketplace with a simulated clock, network and provider, on its own database, next to the books of what is expected. */
import crypto, { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as hashPassword } from '@node-rs/argon2'
import pLimit from 'p-limit'
import pg from 'pg'
import { startBackend } from '../../app/server/boot.ts'
import { readEnv } from '../../app/server/env.ts'
import { clock } from '../../kit/clock.ts'
import { types } from '../../kit/server/connections.ts'
import { unlimited } from '../../kit/server/limits.ts'
import { checks } from '../../operations/server/checkFiles.ts'
import { productUrlOf } from '../databases.ts'
import { type Look, password } from './actions/scene.ts'
import { Books, type Person } from './books.ts'
import { SimulatedProvider } from './provider.ts'

/** What the model found: the product and the books disagree. */
export class Disagreement extends Error {
  override name = 'Disagreement'
}

const hourMs = 3_600_000
/** Later than the machine's clock, from which ids are made. */
const beginsAt = Date.UTC(2030, 0, 1)

export const population: Record<Person['role'], number> = { ADMIN: 1, DEVELOPER: 3, TESTER: 6 }

/**
 * Checks that cannot hold here: of the sandbox's own table, which the simulated provider replaces, and of the monthly
 * partitions, which the model's clock outruns.
 */
const notHeld = new Set(['provider-agrees', 'partitions'])

export type Simulation = {
  books: Books
  provider: SimulatedProvider
  look: Look
  /** Adds a new user. */
  enter: (role: Person['role']) => Promise<void>
  advance: (hours: number) => void
  /** Runs the data checks. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/** Jobs process what is due in the order of ids. Counted ids make that order the same each time. */
const countIds = (): (() => void) => {
  const { randomUUIDv7 } = crypto
  let made = 0
  const replace = (next: typeof randomUUIDv7) => {
    Object.assign(crypto, { randomUUIDv7: next })
    syncBuiltinESMExports()
  }
  replace(() => `00000000-0000-7000-8000-${(++made).toString(16).padStart(12, '0')}` as ReturnType<typeof randomUUIDv7>)
  return () => replace(randomUUIDv7)
}

/** A process can have only one open at a time. */
export const openSimulation = async (databaseUrl: string): Promise<Simulation> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-model-'))
  const env = readEnv({ DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' })
  let closing = false
  const fail = (error: unknown) => {
    if (!closing) throw error
  }
  const stopBackend = await startBackend(env, productUrlOf(databaseUrl), {
    ownerUrl: databaseUrl,
    onError: fail,
    work: false,
  })
  const client = new pg.Client({ connectionString: databaseUrl, options: unlimited, types })
  await client.connect()
  const oneByOne = pLimit(1)
  const look: Look = async <Row>(text: string, values: unknown[] = []) => {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    const query = values.length > 0 ? { name, text, values } : text
    return (await oneByOne(() => client.query(query))).rows as Row[]
  }

  const giveIdsBack = countIds()
  await look(`create sequence model_parts; grant usage on sequence model_parts to public;
    alter table refund_parts alter column id set default lpad(to_hex(nextval('model_parts')), 32, '0')::uuid`)
  const books = new Books()
  books.now = beginsAt
  const { now, nowMs } = clock
  clock.nowMs = () => books.now
  clock.now = () => new Date(books.now).toISOString()
  const provider = new SimulatedProvider({
    returns: async ids => {
      const rows = await look<{ id: string }>(
        'select id from withdrawals where id = any ($1) and returned_at is not null',
        [ids],
      )
      return new Set(rows.map(({ id }) => id))
    },
    disputes: () =>
      look('select provider, reference, status, amount_cents as cents, provider_fee_cents as fee from disputes'),
  })
  const putBack = provider.use()

  const passwordHash = await hashPassword(password, { memoryCost: 8, timeCost: 1 })
  const enter = async (role: Person['role']) => {
    const n = books.people.length
    const id = crypto.randomUUIDv7()
    const email = `p${n}@model.test`
    // Payouts to every third tester are declined.
    const method = role === 'TESTER' && n % 3 === 0 ? `decline@p${n}.test` : null
    await look(
      `insert into users (id, email, email_verified_at, name, role, password_hash, payment_method, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $3)`,
      [id, email, clock.now(), `P ${n}`, role, passwordHash, method],
    )
    const present = { suspended: false, deleted: false, changedAt: -Infinity }
    books.people.push({ n, id, role, method: method ?? email, balance: 0, declined: [], ...present })
  }
  // Rejections need no consent, and no monthly limit prevents goodwill pay.
  await look(`update settings set consent_after_overturned = 100, consent_of_last = 100, drafts_per_developer = 10000,
    goodwill_per_developer_cents = 10000000, goodwill_in_all_cents = 100000000`)
  for (const [role, count] of Object.entries(population))
    for (let each = 0; each < count; each++) await enter(role as Person['role'])

  return {
    books,
    provider,
    look,
    enter,
    advance: hours => {
      books.now += hours * hourMs
    },
    check: async () => {
      for (const { name, sql } of await checks()) {
        if (notHeld.has(name)) continue
        const rows = await look(sql)
        if (rows.length > 0) throw new Disagreement(`checks/${name}.sql: ${JSON.stringify(rows.slice(0, 3))}`)
      }
    },
    close: async () => {
      closing = true
      putBack()
      giveIdsBack()
      Object.assign(clock, { now, nowMs })
      await client.end()
      await stopBackend()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
