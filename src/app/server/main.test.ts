import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { Session } from '../../accounts/contract.ts'
import { newClient } from '../../kit/postgres/client.ts'
import { superuserUrl } from '../../kit/postgres/cluster.ts'
import { emptyDatabase } from '../../testing/databases.ts'
import { runScript } from '../../testing/installation.ts'
import { moduleAt } from '../../testing/processes.ts'

/** What `npm start` runs: a real process on a data folder, with its own embedded PostgreSQL. */
type Running = { server: ChildProcess; address: string; printed: () => string }

let dataDir: string
let used: string
const started: ChildProcess[] = []

const newFolder = () => mkdtemp(join(tmpdir(), 'fieldtest start ö '))

beforeAll(async () => {
  used = dataDir = await newFolder()
  await end((await start()).server, 'SIGTERM')
})
beforeEach(async () => {
  dataDir = await newFolder()
})
/** For tests that are not about the first start, which takes twice as long as later ones. */
const takeUsedFolder = () => execFileSync('cp', ['-a', `${used}/.`, dataDir])
afterEach(async () => {
  for (const server of started.splice(0))
    if (server.exitCode === null && server.signalCode === null) await end(server, 'SIGKILL')
  // Its PostgreSQL ends a moment later.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})
afterAll(() => rm(used, { recursive: true, force: true }))

const launch = (env: Record<string, string> = {}): { server: ChildProcess; printed: () => string } => {
  const { DATABASE_URL: _, ...inherited } = process.env
  const server = spawn(process.execPath, moduleAt('src/app/server/main.ts'), {
    env: { ...inherited, NODE_ENV: '', PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(server)
  let printed = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  return { server, printed: () => printed }
}

const start = async (env: Record<string, string> = {}): Promise<Running> => {
  const { server, printed } = launch(env)
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout?.on('data', () => {
      // The next line says how to sign in, and may arrive in a chunk of its own.
      const ready = /Fieldtest is ready: (\S+)\nSign in as admin[^\n]*\n/.exec(printed())
      if (ready?.[1]) resolve(ready[1])
    })
    server.once('exit', code => reject(new Error(`ended with ${code}: ${printed()}`)))
  })
  return { server, address, printed }
}

const end = async (server: ChildProcess, signal: NodeJS.Signals) => {
  const ended = once(server, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  server.kill(signal)
  return (await ended)[0]
}

const post = async <T>(address: string, path: string, body: unknown): Promise<{ status: number; body: T }> => {
  const reply = await fetch(`${address}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as T }
}

const person = { email: 'ann@example.test', password: 'correct horse', name: 'Ann', role: 'TESTER' }

/** The process id of PostgreSQL, from its own pid file. */
const postgresPid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

test('the first start prints a one-time password that signs the admin in, and serves the API and the page', async () => {
  const { server, address, printed } = await start()
  const [, email, password] = /Sign in as admin: (\S+) with the one-time password (\S+)/.exec(printed()) ?? []
  const { status, body } = await post<Session>(address, '/auth/login', { email, password })
  expect(status).toBe(200)
  expect(body.user.role).toBe('ADMIN')
  expect(body.user.emailVerifiedAt).not.toBeNull()
  expect(await (await fetch(`${address}/login`)).text()).toContain('<div id="root"')
  expect((await fetch(`${address}/health/ready`)).status).toBe(200)
  expect(await end(server, 'SIGTERM')).toBe(0)
})

test.each([
  ['a port in use', (port: string) => ({ PORT: port }), (port: string) => `Port ${port} is in use.`],
  ['an address of another machine', () => ({ HOST: '192.0.2.1' }), () => 'HOST must be an address of this machine'],
])('%s is reported before a database is made, and the next start shows the password', async (_wrong, env, said) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)
  const failed = launch(env(port))
  expect(await once(failed.server, 'exit')).toEqual([1, null])
  taken.close()
  expect(failed.printed()).toContain(said(port))
  expect(await readdir(dataDir)).toEqual([])
  expect((await start()).printed()).toMatch(/with the one-time password \S+/)
})

test('a first start does not claim to have shown the password of an admin that a command created', async () => {
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: 'a good long password' }
  const args = ['create', '--email', 'boss@example.test', '--name', 'Boss']
  expect(await runScript('admin', args, env)).toMatchObject({ code: 0 })
  expect((await start()).printed()).toContain('\nSign in as admin with an existing account, ')
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the server and its PostgreSQL cleanly', async signal => {
  takeUsedFolder()
  const { server } = await start()
  const pid = await postgresPid()
  expect(isAlive(pid)).toBe(true)
  expect(await end(server, signal)).toBe(0)
  expect(isAlive(pid)).toBe(false)
})

/** How far a first start has come, as seen from outside. */
const firstStartHas = {
  'begun to make the database': async () => (await readdir(dataDir)).some(name => name.startsWith('postgres.new-')),
  'made the database': async () => (await readdir(dataDir)).includes('postgres'),
  'begun to make the schema': async () => {
    const [, , , port] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    const url = superuserUrl(join(dataDir, 'postgres'), Number(port)).replace(/postgres$/, 'fieldtest')
    const client = newClient({ connectionString: url })
    try {
      await client.connect()
      return (await client.query('select from schema_migrations')).rowCount! > 0
    } finally {
      await client.end().catch(() => undefined)
    }
  },
}

test.each(Object.entries(firstStartHas))(
  'SIGTERM to a first start that has %s ends it without an error, and the next start continues',
  async (_moment, hasCome) => {
    const first = launch()
    await expect.poll(() => hasCome().catch(() => false), { timeout: 20_000, interval: 5 }).toBe(true)
    expect(await end(first.server, 'SIGTERM')).toBe(0)
    expect(first.printed()).not.toMatch(/error/i)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    const second = await start()
    expect(second.printed()).not.toContain('left behind')
    expect(await end(second.server, 'SIGTERM')).toBe(0)
  },
)

test('a server that is stopped as soon as it is ready logs no error', async () => {
  takeUsedFolder()
  const { server, printed } = await start()
  expect(await end(server, 'SIGTERM')).toBe(0)
  expect(printed()).not.toContain('"level":50')
})

test('after kill -9 the next start has everything that was acknowledged', async () => {
  takeUsedFolder()
  const first = await start()
  const { status } = await post(first.address, '/auth/register', person)
  expect(status).toBe(201)
  await end(first.server, 'SIGKILL')
  const second = await start()
  expect((await post(second.address, '/auth/login', person)).status).toBe(200)
  expect(await end(second.server, 'SIGTERM')).toBe(0)
})

test('a weak ADMIN_PASSWORD stops the start in production, and causes a warning elsewhere', async () => {
  const weak = { ADMIN_EMAIL: 'boss@example.test', ADMIN_PASSWORD: 'letmein' }
  const secrets = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
  const stopped = launch({ ...weak, ...secrets, NODE_ENV: 'production', DATA_DIR: dataDir })
  expect(await once(stopped.server, 'exit')).toEqual([1, null])
  expect(stopped.printed()).toContain('ADMIN_PASSWORD is weak. This is one of the 10,000 most common passwords.')
  const warned = await start({ ...weak, DATA_DIR: dataDir })
  expect(warned.printed()).toContain('ADMIN_PASSWORD is weak.')
  expect((await post(warned.address, '/auth/login', { email: weak.ADMIN_EMAIL, password: 'letmein' })).status).toBe(200)
  await end(warned.server, 'SIGTERM')
})

test('a folder for files in which nothing can be stored stops the start, before somebody uploads', async () => {
  takeUsedFolder()
  const file = join(dataDir, 'postgres', 'PG_VERSION')
  const { server, printed } = launch({ STORAGE_URL: pathToFileURL(join(file, 'files')).href })
  expect(await once(server, 'exit')).toEqual([1, null])
  expect(printed()).toContain(`STORAGE_URL names the folder ${join(file, 'files')}, in which nothing can be stored`)
})

test('a server whose emails nobody can reply to says so', async () => {
  takeUsedFolder()
  const { server, printed } = await start({ SMTP_URL: 'smtp://127.0.0.1:9' })
  await end(server, 'SIGTERM')
  expect(printed()).toContain('set MAIL_FROM to a mailbox that somebody reads')
})

test('when its PostgreSQL dies the server goes on, and answers again once it is back', async () => {
  takeUsedFolder()
  const { server, address } = await start()
  process.kill(await postgresPid(), 'SIGKILL')
  const register = () => post(address, '/auth/register', person).then(reply => reply.status)
  await expect.poll(register, { timeout: 20_000, interval: 200 }).toBe(201)
  expect((await fetch(`${address}/health/ready`)).status).toBe(200)
  expect((await post(address, '/auth/login', person)).status).toBe(200)
  expect(await end(server, 'SIGTERM')).toBe(0)
})

test('a second server on the same data folder is refused with a message, and the first keeps running', async () => {
  takeUsedFolder()
  const first = await start()
  const second = launch()
  const [code] = (await once(second.server, 'exit')) as [number]
  expect(code).toBe(1)
  expect(second.printed()).toContain(`The data folder ${dataDir} is in use by another Fieldtest server`)
  expect((await fetch(`${first.address}/health/ready`)).status).toBe(200)
  await end(first.server, 'SIGTERM')
})

test.each([
  ['a generated password', {}],
  ['ADMIN_EMAIL', { ADMIN_EMAIL: 'boss@example.test', ADMIN_PASSWORD: 'a good long password' }],
])('servers that start at once on an empty database all come up, with one admin (%s)', async (_admin, env) => {
  const DATABASE_URL = await emptyDatabase(inject('serverUrl'))
  const ENCRYPTION_KEY = randomBytes(32).toString('base64')
  const servers = await Promise.all(
    ['one', 'two', 'three'].map(name => start({ ...env, DATABASE_URL, ENCRYPTION_KEY, DATA_DIR: join(dataDir, name) })),
  )
  const said = servers.map(({ printed }) => /with the one-time password (\S+)/.exec(printed())?.[1])
  expect(said.filter(Boolean)).toHaveLength('ADMIN_EMAIL' in env ? 0 : 1)
  const database = new pg.Client({ connectionString: DATABASE_URL })
  await database.connect()
  const admins = await database.query("select from users where role = 'ADMIN'")
  await database.end()
  expect(admins.rowCount).toBe(1)
  expect(await Promise.all(servers.map(({ server }) => end(server, 'SIGTERM')))).toEqual([0, 0, 0])
})

test('of servers that start at once on an empty database with different keys, one starts and the others say why not', async () => {
  const DATABASE_URL = await emptyDatabase(inject('serverUrl'))
  const outcomes = await Promise.all(
    ['one', 'two', 'three'].map(name =>
      start({ DATABASE_URL, DATA_DIR: join(dataDir, name) }).then(
        () => 'ready',
        (error: Error) => error.message,
      ),
    ),
  )
  const refusal = expect.stringMatching(/encryption-key (is missing|cannot decrypt)/)
  // The one that made the first sample.
  expect(outcomes.toSorted()).toEqual([refusal, refusal, 'ready'])
})

test('an invalid environment is reported before anything starts', async () => {
  const { server, printed } = launch({ PORT: 'many', RATE_LIMIT: 'maybe' })
  expect(((await once(server, 'exit')) as [number])[0]).toBe(1)
  expect(printed()).toContain('PORT must be a whole number from 0 to 65535')
  expect(printed()).toContain('RATE_LIMIT must be on or off')
})

test('the test clock keeps its position across a restart', async () => {
  takeUsedFolder()
  const clocked = { FIELDTEST_TEST_CLOCK: '1' }
  const first = await start(clocked)
  const moved = await post<{ now: string }>(first.address, '/test-clock', { advanceHours: 48 })
  await end(first.server, 'SIGTERM')
  const second = await start(clocked)
  const after = await post<{ now: string }>(second.address, '/test-clock', { advanceHours: 0 })
  expect(after.body.now > moved.body.now).toBe(true)
  await end(second.server, 'SIGTERM')
})

test('servers that start at once after a night of downtime agree on how long none ran', async () => {
  const env = { DATABASE_URL: await emptyDatabase(inject('serverUrl')) }
  const first = await start(env)
  await end(first.server, 'SIGKILL')
  const db = new pg.Client({ connectionString: env.DATABASE_URL })
  await db.connect()
  await db.query(`update heartbeat set beat_at = beat_at - interval '8 hours'`)
  await Promise.all([start(env), start(env)])
  const { rows } = await db.query(`select cause, round(extract(epoch from ended_at - started_at) / 3600)::int as hours,
    (select beat_at >= ended_at from heartbeat) as over from downtimes`)
  expect(rows).toEqual([{ cause: 'DOWN', hours: 8, over: true }])
  await db.end()
})
