/** A server's log is enough to find a failed request, and contains no secret. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { Session } from '../../accounts/contract.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { testApp } from '../../testing/prologue.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'

const secrets = {
  JWT_SECRET: 'jwt-secret-that-nobody-may-read-anywhere',
  password: 'a-password-that-nobody-may-read',
  wrongPassword: 'a-wrong-password-is-often-right-elsewhere',
  idempotencyKey: 'an-idempotency-key-is-a-handle-on-a-payment',
  inQuery: 'a-token-in-the-query-string',
  cookie: 'session=a-cookie-from-elsewhere',
  playEmail: 'a-play-address-of-a-tester@gmail.com',
  unreadable: 'what-nobody-could-read-is-nobody-elses-to-read',
}

const t = testApp({ JWT_SECRET: secrets.JWT_SECRET })
let server: OtherServer
let lines: Record<string, unknown>[]
let session: Session
const answers: { status: number; body: ErrorBody; requestId: string | null }[] = []

const send = async (
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) => {
  const reply = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as ErrorBody
  answers.push({ status: reply.status, body: parsed, requestId: reply.headers.get('x-request-id') })
  return { status: reply.status, body: parsed }
}

/** Sends bytes that no client would send. The connection ends with the answer. */
const sendBytes = async (...parts: string[]) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', bytes => (answer += String(bytes)))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  for (const part of parts.slice(0, -1)) {
    socket.write(part)
    await once(socket, 'data')
  }
  socket.write(parts.at(-1)!)
  await closed
  const last = answer.slice(answer.lastIndexOf('HTTP/1.1 '))
  const requestId = /^x-request-id: (.*)\r$/m.exec(last)![1]!
  const body = JSON.parse(last.split('\r\n\r\n')[1]!) as ErrorBody
  const sent = { status: Number(last.split(' ')[1]), body, requestId }
  answers.push(sent)
  return sent
}

type Refused = { sent: (typeof answers)[number]; status: number; method?: string; url?: string }
const refusedEarly: Refused[] = []

/** Refused before there is a route, a body or even a request. */
const sendRefusedEarly = async () => {
  const path = '/api/v1/auth/login'
  const { unreadable } = secrets
  const line = `POST ${path}?token=${unreadable} HTTP/1.1\r\n`
  const head = `${line}Host: x\r\nContent-Type: application/json\r\n`
  const known = { method: 'POST', url: path }
  const closing = 'Connection: close\r\n'
  const add = async (status: number, request: object, ...parts: string[]) =>
    refusedEarly.push({ sent: await sendBytes(...parts), status, ...request })
  await add(400, known, `${line}${closing}\r\n`)
  await add(400, known, `${head}${unreadable}\r\n\r\n`)
  await add(431, known, `${head}Cookie: ${unreadable.repeat(500)}\r\n\r\n`)
  await add(400, { method: 'FOO', url: path }, `FOO ${path}?${unreadable} HTTP/1.1\r\n\r\n`)
  await add(400, {}, `${unreadable}\r\n\r\n`)
  await add(405, { method: 'CONNECT', url: 'x:443' }, `CONNECT x:443?${unreadable} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await add(413, known, `${head}${closing}Content-Length: 2000000\r\n\r\n`)
  await add(415, known, `${line}Host: x\r\n${closing}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx`)
  await add(415, known, `${head}${closing}Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx`)
  await add(
    400,
    { method: 'GET', url: '/api/v1/%' },
    `GET /api/v1/%?${unreadable} HTTP/1.1\r\nHost: x\r\n${closing}\r\n`,
  )
  const long = `/api/v1/campaigns/${'x'.repeat(300)}`
  await add(404, { method: 'GET', url: long }, `GET ${long} HTTP/1.1\r\nHost: x\r\n${closing}\r\n`)
  // Bytes in an open body belong to its request; bytes after a request may still belong to a body, so none of them is logged.
  await add(400, known, `${head}Transfer-Encoding: chunked\r\n\r\n${unreadable}\r\n\r\n`)
  const [good, body] = ['GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', `GET /${unreadable} HTTP/9\r\n\r\n`]
  await add(400, {}, good, body)
  await add(400, {}, good.replace('live', 'ready') + body)
  const endless = `/${'x'.repeat(2000)}`
  await add(400, { method: 'FOO', url: endless.slice(0, 120) }, `FOO ${endless} HTTP/1.1\r\n\r\n`)
  await add(400, { method: 'POST', url: endless }, `POST ${endless} HTTP/1.1\r\n${closing}\r\n`)
}

beforeAll(async () => {
  server = await startOtherServer(t, {
    JWT_SECRET: secrets.JWT_SECRET,
    LOG_LEVEL: 'trace',
    RATE_LIMIT: 'on',
  })
  const person = { email: 'ann@example.test', password: secrets.password, name: 'Ann', role: 'TESTER' }
  await send('POST', '/auth/register', { body: person })
  await send('POST', '/auth/register', { body: person })
  session = (await send('POST', '/auth/login', { body: person })).body as unknown as Session
  const authorization = `Bearer ${session.accessToken}`
  await send('POST', '/auth/login', { body: { ...person, password: secrets.wrongPassword } })
  await send('POST', '/auth/login', { body: `{"password":"${secrets.password}",` })
  await send('POST', '/auth/login', { body: { email: 7, password: secrets.password } })
  await send('GET', `/users/me?access_token=${secrets.inQuery}`, { headers: { authorization, cookie: secrets.cookie } })
  const joining = { deviceInfo: 'Pixel 8', playEmail: secrets.playEmail, consent: true }
  const join = '/testers/campaigns/019e8a00-0000-7000-8000-000000000000/join'
  for (const consent of [true, 'yes'])
    await send('POST', join, { headers: { authorization }, body: { ...joining, consent } })
  await send('GET', `/campaigns?cursor=${secrets.inQuery}`, { headers: { authorization } })
  await send('POST', '/testers/withdraw', {
    body: { amountCents: 1000 },
    headers: { authorization, 'idempotency-key': secrets.idempotencyKey },
  })
  await send('GET', '/admin/users?search=somebody', { headers: { authorization } })
  await send('GET', `/campaigns/${session.user.id}`)
  await send('POST', '/auth/refresh', { body: { refreshToken: session.refreshToken } })
  await send('GET', '/no/such/address')
  await t.look(
    `insert into hourly_calls (caller, kind, hour_began_at, calls) values ('127.0.0.1', 'WAITLIST', now(), 1000)`,
  )
  await send('POST', '/waitlist', { body: { email: 'somebody@example.test', country: 'DE', role: 'tester' } })
  await sendRefusedEarly()
  // From here on every statement on users fails.
  await t.look('alter table users rename to people')
  await send('POST', '/auth/login', { body: person })
  await send('GET', '/users/me', { headers: { authorization } })
  await t.look('alter table people rename to users')
  await send('POST', '/auth/logout', { headers: { authorization } })
  await server.stop()
  lines = server.log.map(line => JSON.parse(line) as Record<string, unknown>)
})

test('every request is logged under the id that its answer carries', () => {
  expect(answers.length).toBeGreaterThan(12)
  for (const { requestId, body, status } of answers) {
    const own = lines.filter(line => line['reqId'] === requestId)
    expect(own.map(line => line['msg'])).toContain('request completed')
    expect(own.find(line => line['msg'] === 'request completed')).toMatchObject({ res: { statusCode: status } })
    if (status >= 400) expect(body.requestId).toBe(requestId)
  }
})

test('a request that is refused before routing is logged with its method and path, if they are known', () => {
  for (const { sent, status, method, url } of refusedEarly) {
    expect([sent.status, sent.body.statusCode]).toEqual([status, status])
    const own = lines.filter(line => line['reqId'] === sent.requestId)
    const req = own.map(line => line['req']).find(Boolean)
    expect(req).toEqual({ id: sent.requestId, ip: '127.0.0.1', ...(method !== undefined && { method, url }) })
  }
})

test('input that is not a request takes less room in the log than a request, whatever was sent', async () => {
  const linesOf = (id: string | null) => server.log.filter(line => line.includes(String(id)))
  const room = (id: string | null) => linesOf(id).join('\n').length
  const ofGood = room(answers.find(({ status }) => status === 201)!.requestId)
  const unread = refusedEarly.filter(({ sent }) => linesOf(sent.requestId).length === 1)
  expect(unread.map(({ status }) => status)).toEqual([400, 431, 400, 400, 405, 400, 400, 400, 400])
  for (const { sent } of unread) expect(room(sent.requestId)).toBeLessThan(ofGood)
})

test('every refusal is one line at info level, with who and what, and without any value that was sent', () => {
  const refused = lines.filter(line => line['msg'] === 'refused')
  expect(refused.map(({ level, code, userId, endpoint }) => ({ level, code, userId, endpoint }))).toEqual([
    { level: 30, code: 'WRONG_CREDENTIALS', userId: null, endpoint: 'POST /api/v1/auth/login' },
    { level: 30, code: 'FORBIDDEN', userId: session.user.id, endpoint: 'GET /api/v1/admin/users' },
    { level: 30, code: 'UNAUTHENTICATED', userId: null, endpoint: 'GET /api/v1/campaigns/:id' },
    { level: 30, code: 'TOO_MANY_REQUESTS', userId: null, endpoint: 'POST /api/v1/waitlist' },
  ])
  expect(answers.filter(({ status }) => [401, 403, 429].includes(status))).toHaveLength(refused.length)
  expect(JSON.stringify(refused)).not.toContain('somebody')
})

test('no log line contains a password, token, key, secret or hash, at any level', async () => {
  const text = server.log.join('\n')
  expect(text.length).toBeGreaterThan(2000)
  const [user] = await t.look<{ hash: string }>('select password_hash as hash from users')
  const hidden = { ...secrets, hash: user!.hash, access: session.accessToken, refresh: session.refreshToken }
  for (const [name, value] of Object.entries(hidden)) {
    expect([name, value.length > 15, text.includes(value)]).toEqual([name, true, false])
  }
  expect(text).not.toMatch(/\$argon2|eyJ[\w-]+\.eyJ|Bearer /)
})

test('internal failures are logged but not revealed to the caller', () => {
  const failed = answers.filter(({ status }) => status === 500)
  expect(failed).toHaveLength(2)
  for (const { body, requestId } of failed) {
    expect(Object.keys(body).toSorted()).toEqual(['code', 'message', 'requestId', 'statusCode'])
    expect(body.code).toBe('INTERNAL')
    expect(body.message).not.toMatch(/users|relation|select|42P01|postgres/i)
    const line = lines.find(each => each['reqId'] === requestId && each['err'] !== undefined)
    expect(line).toMatchObject({
      level: 50,
      err: { message: expect.stringContaining('relation "users" does not exist') as string },
    })
  }
})

test('a caller’s mistake is not logged as a server error', () => {
  const refused = new Set(answers.filter(({ status }) => status < 500).map(({ requestId }) => requestId))
  expect(lines.filter(line => refused.has(line['reqId'] as string) && Number(line['level']) >= 50)).toEqual([])
})
