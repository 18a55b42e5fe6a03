/** What a server writes into its log: enough to find a failed request, and no secret. */
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

beforeAll(async () => {
  server = await startOtherServer(t, {
    JWT_SECRET: secrets.JWT_SECRET,
    LOG_LEVEL: 'trace',
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
  // Something breaks inside: every statement on users fails.
  await t.look('alter table users rename to people')
  await send('POST', '/auth/login', { body: person })
  await send('GET', '/users/me', { headers: { authorization } })
  await t.look('alter table people rename to users')
  await send('POST', '/auth/logout', { headers: { authorization } })
  await server.stop()
  lines = server.log.map(line => JSON.parse(line) as Record<string, unknown>)
})

test('every request is logged under the id that its answer carried', () => {
  expect(answers.length).toBeGreaterThan(12)
  for (const { requestId, body, status } of answers) {
    const own = lines.filter(line => line['reqId'] === requestId)
    expect(own.map(line => line['msg'])).toContain('request completed')
    expect(own.find(line => line['msg'] === 'request completed')).toMatchObject({ res: { statusCode: status } })
    if (status >= 400) expect(body.requestId).toBe(requestId)
  }
})

test('every refusal of a caller is one line at info, with who and what, and no value that was sent', () => {
  const refused = lines.filter(line => line['msg'] === 'refused')
  expect(refused.map(({ level, code, userId, endpoint }) => ({ level, code, userId, endpoint }))).toEqual([
    { level: 30, code: 'WRONG_CREDENTIALS', userId: null, endpoint: 'POST /api/v1/auth/login' },
    { level: 30, code: 'FORBIDDEN', userId: session.user.id, endpoint: 'GET /api/v1/admin/users' },
    { level: 30, code: 'UNAUTHENTICATED', userId: null, endpoint: 'GET /api/v1/campaigns/:id' },
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

test('internal failures are logged and not revealed to the caller', () => {
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
