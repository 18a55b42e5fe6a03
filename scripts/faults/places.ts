/** A PostgreSQL and two servers, each of which is connected to it by a wire that can be cut. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { migrate } from '../../src/kit/server/migrate.ts'
import { useJwtSecret as keepJwtSecret } from '../../src/kit/server/session.ts'
import { type Product, startProduct } from '../../src/testing/processes.ts'
import { openWire } from '../../src/testing/wire.ts'

export type Place = {
  /** The addresses of the servers that are alive. */
  living: () => string[]
  /** Kills a server with kill -9 and starts another in its place; resolves with the new address. */
  killServer: (number: number) => Promise<string>
  killPostgres: () => Promise<void>
  /** Breaks a server's connections to PostgreSQL, with whatever was on them. */
  cut: (number: number) => void
  /** Makes PostgreSQL end half of its connections. */
  terminate: () => Promise<void>
  /** Uses a connection of our own, which is replaced when it breaks. */
  onDatabase: <T>(work: (db: pg.Client) => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

type Servers = Pick<Place, 'living' | 'killServer'> & { stop: () => Promise<void> }

const restartPauseMs = 200

/** Keeps two servers alive, one for each number that `start` gets. */
const startServers = async (start: (number: number) => Promise<Product>): Promise<Servers> => {
  let stopping = false
  const servers: (Product | undefined)[] = [await start(0)]
  servers.push(await start(1))
  return {
    living: () => servers.flatMap(server => (server ? [server.address.href] : [])),
    killServer: async number => {
      const killed = servers[number]
      servers[number] = undefined
      await killed?.kill()
      // A start fails when PostgreSQL is dead or the wire is cut, and is repeated, as by a supervisor.
      for (;;) {
        if (stopping) throw new Error('Stopped')
        const started = await start(number).catch(() => undefined)
        if (started) {
          servers[number] = started
          return started.address.href
        }
        await pause(restartPauseMs)
      }
    },
    stop: async () => {
      stopping = true
      await Promise.all(servers.map(async server => server?.kill()))
    },
  }
}

const connected = async <T>(connectionString: string, work: (db: pg.Client) => Promise<T>): Promise<T> => {
  const db = new pg.Client({ connectionString })
  db.on('error', () => undefined)
  try {
    await db.connect()
    return await work(db)
  } finally {
    await db.end().catch(() => undefined)
  }
}

const settingsOf = (folder: string, ownerUrl: string) => {
  const secret = randomBytes(32).toString('hex')
  // The clients' tokens are signed with it.
  keepJwtSecret(secret)
  return {
    DATABASE_MIGRATION_URL: ownerUrl,
    DATA_DIR: folder,
    JWT_SECRET: secret,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    FIELDTEST_TEST_CLOCK: '1',
    LOG_LEVEL: 'silent',
  }
}

/** `provider`: the settings that the servers need for it. */
export const openPlace = async (folder: string, provider: Record<string, string>): Promise<Place> => {
  const dataDir = join(folder, 'database')
  // What a killed process has written is not lost without fsync, because the power stays on.
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } })
  await migrate(postgres.connectionString)
  const env = { ...settingsOf(folder, postgres.connectionString), ...provider }
  const wires = await Promise.all([openWire(postgres.productString), openWire(postgres.productString)])
  const servers = await startServers(number => startProduct({ ...env, DATABASE_URL: wires[number]!.url }))
  return {
    ...servers,
    killPostgres: async () => {
      const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    cut: number => wires[number]!.cut(),
    terminate: () =>
      connected(postgres.superuserString, async db => {
        await db.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where usename = 'fieldtest_app' and pid <> pg_backend_pid() and random() < 0.5`)
      }),
    onDatabase: work => connected(postgres.connectionString, work),
    stop: async () => {
      await servers.stop()
      await Promise.all(wires.map(wire => wire.stop()))
      await postgres.stop()
    },
  }
}
