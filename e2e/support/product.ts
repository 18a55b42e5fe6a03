/**
 * The product under test: each worker starts one as `npm start` does, except for cheap password hashes, with its own database
 * and clock, so that journeys can run in parallel. When the worker is finished, the data checks run on what its journeys left
 * behind: every journey also proves that the books balance.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { type RunningServer, startServer } from '../../scripts/screens/server.ts'
import { runChecks } from '../../src/testing/checks.ts'
import { cloneTemplate } from '../../src/testing/databases.ts'
import { adminEmail, password } from './people.ts'
import { beginStripe, endStripe } from './stripe.ts'

/** The variable in which the global setup tells the workers where PostgreSQL is. */
export const databaseServerVariable = 'E2E_DATABASE_SERVER'

let running: { address: string; mailFolder: string; databaseUrl: string } | undefined

const product = () => {
  if (running === undefined) throw new Error('The product runs only while journeys do')
  return running
}

export const address = (): string => product().address

/** Where this worker's product writes its emails, since it has no mail server. */
export const mailFolder = (): string => product().mailFolder

/** Queries the database directly, which only an operator can do. */
export const inDatabase = async (query: string, values: unknown[] = []): Promise<void> => {
  const client = new pg.Client({ connectionString: product().databaseUrl })
  await client.connect()
  try {
    await client.query(query, values)
  } finally {
    await client.end()
  }
}

/** Makes a registered person an admin, which no call can. They have to sign in again. */
export const promote = (email: string): Promise<void> =>
  inDatabase(`update users set role = 'ADMIN' where email = $1`, [email])

const assertBooksBalance = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const broken = await runChecks(sql => client.query(sql))
    if (broken.length > 0) throw new Error(`The data checks found what is broken:\n${JSON.stringify(broken, null, 2)}`)
  } finally {
    await client.end()
  }
}

export const startProduct = (
  dataDir: string,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<RunningServer> =>
  startServer(dataDir, databaseUrl, {
    ...env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(join(import.meta.dirname, 'cheapHashes.ts')).href}`,
    FIELDTEST_TEST_CLOCK: '1',
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: password,
    // All journeys register from the same address.
    REGISTRATIONS_PER_HOUR: '5000',
  })

export type Provider = 'sandbox' | 'stripe'

/** Runs the product while `journeys` run, and throws if they left broken data behind. */
export const withProduct = async (provider: Provider, journeys: (address: string) => Promise<void>): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest e2e '))
  const databaseUrl = await cloneTemplate(process.env[databaseServerVariable]!)
  const server = await startProduct(dataDir, databaseUrl, provider === 'stripe' ? await beginStripe() : {})
  running = { address: server.address, mailFolder: join(dataDir, 'mail'), databaseUrl }
  try {
    await journeys(server.address)
  } finally {
    running = undefined
    await server.stop()
    await endStripe()
    await rm(dataDir, { recursive: true, force: true })
  }
  await assertBooksBalance(databaseUrl)
}
