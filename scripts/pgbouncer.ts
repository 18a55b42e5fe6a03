/**
 * `npm run pgbouncer`: runs the server behind a real PgBouncer, in session and in transaction mode, and tests which settings it
 * refuses at startup and that everything works with the others. Needs Debian's package `pgbouncer`; installs nothing, and leaves
 * nothing behind.
 */
import { randomUUID } from 'node:crypto'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import pg from 'pg'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { projectRoot } from '../src/kit/server/root.ts'
import { freePort } from './screens/freePort.ts'

const run = promisify(execFile)
const say = (line: string) => process.stdout.write(`${line}\n`)
const main = join(projectRoot, 'src/app/server/main.ts')
const binary = '/usr/sbin/pgbouncer'
const people = 24
const patienceMs = 20_000

type Mode = 'session' | 'transaction'
type Env = Record<string, string>

const bouncer = async (folder: string, mode: Mode, postgresUrl: string) => {
  const port = await freePort()
  const { hostname, port: behind, username, password, pathname } = new URL(postgresUrl)
  const users = join(folder, `${mode}.users`)
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const config = join(folder, `${mode}.ini`)
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 40
ignore_startup_parameters = extra_float_digits
`,
  )
  for (const file of [users, config]) await chmod(file, 0o644)
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(binary, [...asNobody, config], { stdio: 'ignore' })
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  const answers = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
  }
  const end = performance.now() + patienceMs
  while (
    !(await answers().then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > end) throw new Error('PgBouncer does not answer')
    await pause(100)
  }
  return { url, stop: () => stopped(child) }
}

const stopped = async (child: ChildProcess) => {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

type Started = { address: string | null; said: string; stop: () => Promise<void> }

/** Resolves once the server is ready, with its address, or has exited, with its output. */
const start = (folder: string, env: Env): Promise<Started> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, RATE_LIMIT: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    const stop = () => stopped(child)
    const heard = (chunk: Buffer) => {
      said += chunk.toString()
      const ready = /Fieldtest is ready: (\S+)/.exec(said)
      if (ready?.[1]) resolve({ address: ready[1], said, stop })
    }
    child.stdout.on('data', heard)
    child.stderr.on('data', heard)
    child.once('exit', () => resolve({ address: null, said, stop }))
  })

const refused = async (folder: string, env: Env, sentence: RegExp) => {
  const { address, said, stop } = await start(folder, env)
  await stop()
  if (address !== null || !sentence.test(said)) throw new Error(`Not refused: ${said}`)
  say(`  refused: ${said.trim().split('\n').at(-1)}`)
}

type Session = { accessToken: string }

/** People register, read lists and write in parallel; whoever signs out is refused from then on. */
const used = async (folder: string, env: Env) => {
  const { address, said, stop } = await start(folder, env)
  if (address === null) throw new Error(`It does not start: ${said}`)
  try {
    const call = (method: string, path: string, body?: object, token?: string) =>
      fetch(`${address}/api/v1${path}`, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
    const statuses: number[] = []
    const register = async (place: number) => {
      const reply = await call('POST', '/auth/register', {
        email: `${randomUUID()}@example.test`,
        password: 'correct horse battery',
        name: 'Pia Pooled',
        role: place % 2 === 0 ? 'TESTER' : 'DEVELOPER',
        country: 'DE',
        timeZone: 'UTC',
        deviceFingerprint: `device-${place}`,
      })
      statuses.push(reply.status)
      const { accessToken } = (await reply.json()) as Session
      for (const path of ['/users/me', '/campaigns?limit=20', '/users/me/notifications', '/dashboard/needs'])
        statuses.push((await call('GET', path, undefined, accessToken)).status)
      statuses.push((await call('PATCH', '/users/me', { name: 'Pia Renamed' }, accessToken)).status)
      statuses.push((await call('POST', '/auth/logout', {}, accessToken)).status)
      const after = await call('GET', '/users/me', undefined, accessToken)
      statuses.push(after.status === 401 ? 200 : after.status)
    }
    // As many in parallel as a busy machine can hash passwords for.
    const atOnce = pLimit(6)
    await Promise.all(Array.from({ length: people }, (_, place) => atOnce(() => register(place))))
    const failed = statuses.filter(status => status >= 300)
    if (failed.length > 0) throw new Error(`${failed.length} of ${statuses.length} calls failed: ${failed.join(' ')}`)
    say(`  ${statuses.length} of ${statuses.length} calls answered as without PgBouncer`)
  } finally {
    await stop()
  }
}

const rehearse = async (folder: string, stops: (() => Promise<unknown>)[]) => {
  const { stdout } = await run(binary, ['--version']).catch(() => {
    throw new Error(`${binary} is missing. On Debian: apt-get install pgbouncer`)
  })
  say(stdout.split('\n')[0]!)
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  stops.push(() => postgres.stop())
  const direct = postgres.connectionString
  const [session, transaction] = [
    await bouncer(folder, 'session', direct),
    await bouncer(folder, 'transaction', direct),
  ]
  stops.push(session.stop, transaction.stop)
  const data = join(folder, 'data')
  say('session mode')
  await used(data, { DATABASE_URL: session.url })
  say('transaction mode')
  await refused(data, { DATABASE_URL: transaction.url }, /set DATABASE_DIRECT_URL/)
  say('transaction mode, also as the direct one')
  await refused(
    data,
    { DATABASE_URL: session.url, DATABASE_DIRECT_URL: transaction.url },
    /DATABASE_DIRECT_URL leads through/,
  )
  say('transaction mode, with a direct connection')
  const both = { DATABASE_URL: transaction.url, DATABASE_DIRECT_URL: direct }
  // Versions from 1.21 on support named statements.
  const old = /1\.(?:\d|1\d|20)\./.test(stdout)
  if (old) await refused(data, both, /PREPARED_STATEMENTS=off/)
  else await used(data, both)
  say('transaction mode, with a direct connection, without named statements')
  await used(data, { ...both, PREPARED_STATEMENTS: 'off' })
}

const folder = await mkdtemp(join(tmpdir(), 'fieldtest-pgbouncer-'))
await chmod(folder, 0o755)
const stops: (() => Promise<unknown>)[] = []
try {
  await rehearse(folder, stops)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  for (const stop of stops.toReversed()) await stop()
  await rm(folder, { recursive: true, force: true })
}
