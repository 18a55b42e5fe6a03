/** What callers see of a server that is told to stop, and what becomes of callers who keep it waiting. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Session } from '../../accounts/contract.ts'
import { cloneTemplate } from '../../testing/databases.ts'
import { connectBeside } from '../../testing/observed.ts'
import { openStream } from '../../testing/streams.ts'
import { moduleAt } from '../../testing/processes.ts'

let dataDir: string
let databaseUrl: string
let server: ChildProcess
let address: URL
let printed: string
let beside: pg.Client
let session: Session

const start = async (env: Record<string, string>) => {
  server = spawn(process.execPath, moduleAt('src/app/server/main.ts'), {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, RATE_LIMIT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  printed = ''
  address = await new Promise<URL>((resolve, reject) => {
    server.once('exit', code => reject(new Error(`ended with ${code}: ${printed}`)))
    server.stdout?.on('data', chunk => {
      printed += String(chunk)
      const ready = /Fieldtest is ready: (\S+)/.exec(printed)
      if (ready?.[1]) resolve(new URL(ready[1].replace('localhost', '127.0.0.1')))
    })
  })
  session = await send<Session>('POST', '/auth/register', {
    email: 'ann@example.test',
    password: 'correct horse',
    name: 'Ann',
    role: 'TESTER',
  })
}
const send = async <T>(method: string, path: string, body: unknown): Promise<T> => {
  const reply = await fetch(`${address.origin}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as T
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-stop-'))
  databaseUrl = await cloneTemplate(inject('serverUrl'))
  beside = await connectBeside({ databaseUrl })
})
afterEach(async () => {
  await beside.end()
  if (server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  await rm(dataDir, { recursive: true, force: true })
})

/** A connection on which we write every byte ourselves. */
type Line = { socket: Socket; got: () => string; closed: Promise<string> }
const open = async (): Promise<Line> => {
  const socket = connect(Number(address.port), '127.0.0.1')
  let got = ''
  socket.on('data', chunk => (got += String(chunk)))
  const closed = new Promise<string>(resolve => {
    socket.once('error', error => resolve(`reset: ${error.message}`))
    socket.once('close', () => resolve(got))
  })
  await once(socket, 'connect')
  return { socket, got: () => got, closed }
}
const rename = (name: string) => {
  const body = JSON.stringify({ name })
  return `PATCH /api/v1/users/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${session.accessToken}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
type Logged = { msg?: string; reqId?: string; res?: { statusCode: number } }
const ready = 'GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n'
const patient = { timeout: 20_000 }
const exitCode = async () => {
  if (server.exitCode === null) await once(server, 'exit')
  return server.exitCode
}

/** Renames Ann while her row is locked, and sends `first` along; resolves once PostgreSQL waits for it. */
const renameWhileHeld = async (first = '') => {
  await beside.query('begin')
  await beside.query('select from users for update')
  const line = await open()
  line.socket.write(first + rename('Waited'))
  const watcher = await connectBeside({ databaseUrl })
  const waiting = async () =>
    (
      await watcher.query(`select from pg_stat_activity where application_name = 'fieldtest'
        and datname = current_database() and wait_event_type = 'Lock'`)
    ).rowCount
  await expect.poll(waiting, patient).toBe(1)
  await watcher.end()
  return line
}

describe('after SIGTERM', () => {
  test('it is not ready, serves existing connections for DRAIN_SECONDS, then closes each of them; nothing is reset', async () => {
    await start({ DRAIN_SECONDS: '2' })
    const [used, asking, idle] = [await open(), await open(), await open()]
    server.kill('SIGTERM')
    const notReady = async () => (await fetch(`${address.origin}/health/ready`)).status
    await expect.poll(notReady, { ...patient, interval: 10 }).toBe(503)
    used.socket.write(rename('Drained'))
    asking.socket.write(ready)
    const answer = await used.closed
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    // Otherwise proxies would open a new connection for each request until nobody listens, and the last ones would be reset.
    expect(answer.toLowerCase()).not.toContain('connection: close')
    expect(await asking.closed).toMatch(/^HTTP\/1\.1 503 /)
    expect(await idle.closed).toBe('')
    expect(await exitCode()).toBe(0)
  })

  test('streams stay open, and new ones are accepted, until it stops listening: a proxy may not have sent callers elsewhere yet', async () => {
    await start({ DRAIN_SECONDS: '2' })
    const before = await openStream(address.origin, session.accessToken)
    await before.until('ready')
    server.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${address.origin}/health/ready`)).status, patient).toBe(503)
    const meanwhile = await openStream(address.origin, session.accessToken)
    expect(meanwhile.status).toBe(200)
    expect((await meanwhile.until('ready')).map(({ event }) => event)).toEqual(['ready'])
    for (const stream of [before, meanwhile]) expect(await stream.until('the end')).toEqual([])
    expect(await exitCode()).toBe(0)
  })

  test('a request under way is finished, also one that was sent along with an earlier one', async () => {
    await start({})
    const line = await renameWhileHeld(ready)
    await expect.poll(line.got, patient).toMatch(/^HTTP\/1\.1 200 /)
    const idle = await open()
    server.kill('SIGTERM')
    expect(await idle.closed).toBe('')
    await beside.query('rollback')
    const answer = await line.closed
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 [^]*Waited/)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(await exitCode()).toBe(0)
  })

  test('what still waits after 8 seconds is told to come back, also a request of which a part has come', async () => {
    await start({ LOG_LEVEL: 'info' })
    const half = await open()
    half.socket.write(rename('Half').slice(0, -3))
    const started = await open()
    started.socket.write('GET /health/ready HTTP/1.1\r\nhost')
    // The server knows of both once it has answered a later connection.
    await fetch(`${address.origin}/health/live`)
    server.kill('SIGTERM')
    const answered: (string | undefined)[] = []
    for (const line of [half, started]) {
      const answer = await line.closed
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 2/i)
      const requestId = /^x-request-id: (\S+)/im.exec(head)?.[1]
      expect(JSON.parse(body)).toEqual({
        statusCode: 503,
        code: 'UNAVAILABLE',
        message: 'The service is restarting. Try again in a moment.',
        requestId,
      })
      answered.push(requestId)
    }
    expect(await exitCode()).toBe(0)
    const logged = printed.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Logged] : []))
    const completed = logged.filter(({ msg }) => msg === 'request completed')
    for (const id of answered)
      expect(completed.find(({ reqId }) => reqId === id)).toMatchObject({ res: { statusCode: 503 } })
  })

  test('a second signal ends it at once', async () => {
    await start({ DRAIN_SECONDS: '600' })
    server.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${address.origin}/health/ready`)).status, patient).toBe(503)
    server.kill('SIGTERM')
    expect(await exitCode()).toBe(1)
  })
})

describe('callers who send slowly', () => {
  test('get 408 if headers or a JSON body do not arrive in full', async () => {
    await start({})
    const [headers, body] = [await open(), await open()]
    headers.socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n')
    body.socket.write(rename('Slow').slice(0, -3))
    const drip = setInterval(() => {
      headers.socket.write('x: y\r\n')
    }, 500)
    expect(await headers.closed).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(drip)
    expect(await body.closed).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/)
  })
})
