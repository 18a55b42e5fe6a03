/**
 * Starts the product as `npm start` does, on a database of its own, for all journeys. When they are through, the data
 * checks run on what they left: every journey also proves that the books balance.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../scripts/screens/server.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { runChecks } from '../../src/testing/checks.ts'
import { adminEmail, password } from './people.ts'

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

export default async (): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest e2e '))
  const postgres = await startPostgres({ dataDir, durable: false })
  const server = await startServer(dataDir, postgres.connectionString, {
    FIELDTEST_TEST_CLOCK: '1',
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: password,
  })
  process.env.E2E_BASE_URL = server.address
  return async () => {
    await server.stop()
    try {
      await assertBooksBalance(postgres.connectionString)
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}
