/**
 * Starts the product as `npm start` does, on a database of its own, for all journeys. When they are through, the data
 * checks run on what they left: every journey also proves that the books balance.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../src/app/server/postgres/embedded.ts'
import { runChecks } from '../../src/app/testing/checks.ts'
import { adminEmail, password } from './people.ts'

const main = join(import.meta.dirname, '../../src/app/server/main.ts')

const startServer = async (dataDir: string, databaseUrl: string): Promise<{ server: ChildProcess; address: string }> => {
  const server = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      RATE_LIMIT: 'off',
      FIELDTEST_TEST_CLOCK: '1',
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let printed = ''
    server.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const ready = /Fieldtest is ready: (\S+)/.exec(printed)
      if (ready?.[1]) resolve(ready[1])
    })
    server.once('exit', code => reject(new Error(`The server ended with ${code} before it was ready:\n${printed}`)))
  })
  return { server, address }
}

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
  const { server, address } = await startServer(dataDir, postgres.connectionString)
  process.env.E2E_BASE_URL = address
  return async () => {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
    try {
      await assertBooksBalance(postgres.connectionString)
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}
