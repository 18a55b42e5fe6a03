/** What applies to every response: headers, health, not-found. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { createApp } from './app.ts'
import { readEnv } from './env.ts'

const t = testApp({}, { onError: () => undefined })

const get = (url: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' = 'GET') =>
  t.app.inject({ method, url })
const policyOf = (header: unknown) =>
  new Map(
    String(header)
      .split(';')
      .map(part => part.trim().split(' '))
      .map(([name, ...sources]) => [name!, sources]),
  )

describe('headers', () => {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
  }
  /** Headers that describe the content rather than how to treat it. */
  const ofContent = [
    'content-type',
    'content-length',
    'date',
    'connection',
    'x-server-time',
    'www-authenticate',
    'vary',
  ]
  const securityHeaders = ({ headers }: { headers: object }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !ofContent.includes(name)))

  test('a page runs no inline script, uses no other host, cannot be framed, and gives other sites no access', async () => {
    const { headers } = await get('/health/live')
    const policy = policyOf(headers['content-security-policy'])
    expect(policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('connect-src')).toEqual(["'self'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect([...policy.values()].flat().join(' ')).not.toMatch(/\*|http|unsafe-eval/)
    expect(securityHeaders({ headers })).toEqual({
      ...everywhere,
      'content-security-policy': headers['content-security-policy'],
      'permissions-policy': headers['permissions-policy'],
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    })
  })

  test.each(['/api/v1/users/me', '/api/v1/openapi.json', '/api/v1/no/such/address'])(
    '%s: only headers that matter for data, and a policy under which nothing loads or runs',
    async url => {
      expect(securityHeaders(await get(url))).toEqual({
        ...everywhere,
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cache-control': 'no-store',
      })
    },
  )

  test('no document may use the camera, the microphone, the location or sensors', async () => {
    const policy = String((await get('/health/live')).headers['permissions-policy']).split(', ')
    for (const feature of ['camera', 'microphone', 'geolocation', 'usb', 'payment'])
      expect(policy).toContain(`${feature}=()`)
    expect(policy).toContain('publickey-credentials-get=(self)')
  })

  test('API answers are never cached, refusals included', async () => {
    for (const url of ['/api/v1/users/me', '/api/v1/no/such/address', '/api/v1/%zz']) {
      expect((await get(url)).headers['cache-control']).toBe('no-store')
    }
  })

  test('pages of other origins cannot read answers', async () => {
    const reply = await t.app.inject({
      method: 'GET',
      url: '/api/v1/openapi.json',
      headers: { origin: 'https://evil.example' },
    })
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('HTTPS is enforced only where the product is served over it', async () => {
    expect((await get('/health/live')).headers).not.toHaveProperty('strict-transport-security')
    const secure = await createApp(readEnv({ PUBLIC_URL: 'https://fieldtest.example', LOG_LEVEL: 'silent' }))
    const { headers } = await secure.inject({ method: 'GET', url: '/health/live' })
    const data = await secure.inject({ method: 'GET', url: '/api/v1/users/me' })
    await secure.close()
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
    expect(String(headers['content-security-policy'])).toContain('upgrade-insecure-requests')
    expect(data.headers['strict-transport-security']).toBe(headers['strict-transport-security'])
  })

  test('a caller cannot choose the request id', async () => {
    const id = randomUUID()
    const reply = await t.app.inject({
      method: 'GET',
      url: '/health/live',
      headers: { 'request-id': id, 'x-request-id': id },
    })
    expect(reply.headers['x-request-id']).not.toBe(id)
  })
})

describe('what does not exist', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const)(
    '%s of an unknown address below /api/v1 is a 404 in the shape of every other refusal',
    async method => {
      for (const url of ['/api/v1/nothing', '/api/v1/users/me/nothing', `/api/v1/${'a'.repeat(300)}`, '/api/v1/']) {
        const reply = await get(url, method)
        expect([url, reply.statusCode]).toEqual([url, 404])
        expect(reply.json()).toEqual({
          statusCode: 404,
          code: 'NOT_FOUND',
          message: 'There is nothing at this address.',
          requestId: reply.headers['x-request-id'],
        })
      }
    },
  )

  test('a method that an address does not support gets 405 with those that it does, whoever asks and whatever is sent', async () => {
    const other = [
      ['PUT', '/users/me', 'GET, HEAD, PATCH, DELETE'],
      ['OPTIONS', '/users/me', 'GET, HEAD, PATCH, DELETE'],
      ['GET', '/auth/login', 'POST'],
      ['DELETE', `/campaigns/${randomUUID()}`, 'GET, HEAD, PATCH'],
      // Not an id, although it stands where an id would.
      ['PATCH', '/campaigns/available', 'GET, HEAD'],
      ['POST', '/openapi.json', 'GET, HEAD'],
    ] as const
    for (const [method, path, allow] of other) {
      const reply = await t.app.inject({ method, url: `/api/v1${path}`, payload: 'x'.repeat(2_000_000) })
      expect([method, path, reply.statusCode, reply.headers.allow]).toEqual([method, path, 405, allow])
      expect(reply.json()).toEqual({
        statusCode: 405,
        code: 'METHOD_NOT_ALLOWED',
        message: `This address accepts only ${allow}.`,
        requestId: reply.headers['x-request-id'],
      })
    }
    const head = await t.app.inject({ method: 'HEAD', url: '/api/v1/users/me' })
    expect(head.statusCode).toBe(401)
  })

  test('the test clock exists only where it is enabled', async () => {
    const without = await createApp(readEnv({ LOG_LEVEL: 'silent' }))
    const reply = await without.inject({ method: 'POST', url: '/api/v1/test-clock', payload: { advanceHours: 1 } })
    await without.close()
    expect(reply.statusCode).toBe(404)
  })
})

test('a body that is not valid UTF-8 is refused rather than stored with replacement characters', async () => {
  const start = Buffer.from('{"email":"a@example.test","password":"')
  const payload = Buffer.concat([start, Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
  const reply = await t.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    headers: { 'content-type': 'application/json' },
    payload,
  })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ message: 'Text may not contain NUL characters or broken Unicode.' })
})

describe('health', () => {
  /** Tests of other files may use up all connections of the same PostgreSQL for a moment. */
  const patient = { timeout: 20_000 }
  const ready = async () => {
    const reply = await get('/health/ready')
    return [reply.statusCode, reply.json()]
  }

  /** The database accepts no new connections meanwhile; `endConnections` ends the open ones, except one that matches `spared`. */
  const withFullDatabase = async (use: (endConnections: (spared?: string) => Promise<unknown>) => Promise<void>) => {
    const database = new URL(t.databaseUrl).pathname.slice(1)
    const admin = new pg.Client({ connectionString: inject('serverUrl') })
    await admin.connect()
    // Leaves out autovacuum, which only a superuser may end.
    const ours = `from pg_stat_activity where datname = '${database}' and backend_type = 'client backend'`
    try {
      await admin.query(`alter database ${database} with connection limit 0`)
      await use((spared = 'false') =>
        admin.query(
          `select pg_terminate_backend(pid) ${ours} and pid <> all (array(select pid ${ours} and ${spared} limit 1))`,
        ),
      )
    } finally {
      await admin.query(`alter database ${database} with connection limit -1`)
      await admin.end()
    }
  }

  test('a running server is live, and ready while it can reach its database', async () => {
    await expect.poll(ready, patient).toEqual([200, { status: 'ok' }])
    const live = await get('/health/live')
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok' }])
  })

  test('without its database it is live but not ready, requests are told to come back, and it recovers on its own', async () => {
    const person = await t.signUp('TESTER')
    const read = () => t.call('GET', '/users/me', { token: person.accessToken })
    await withFullDatabase(async endConnections => {
      await endConnections()
      // Fails on the pooled connection; the calls after it need a new one.
      await ready()
      await expect.poll(ready, patient).toEqual([503, { status: 'unavailable' }])
      expect((await get('/health/live')).statusCode).toBe(200)
      expect(await read()).toMatchObject({
        status: 503,
        body: { code: 'UNAVAILABLE' },
        headers: { 'retry-after': '2' },
      })
      // A connection that is still being opened does not count as one.
      const reading = Array.from({ length: 20 }, read)
      const answers = []
      for (let asked = 0; asked < 50; asked++) answers.push((await ready())[0])
      await Promise.all(reading)
      expect(new Set(answers)).toEqual(new Set([503]))
    })
    await expect.poll(ready, patient).toEqual([200, { status: 'ok' }])
    expect((await read()).status).toBe(200)
  })

  test('a database that accepts no more connections leaves the server ready while it has some', async () => {
    // One of the pools': others, such as the one that listens for ended sessions, answer no requests.
    const query = `select 'a connection of the pools'`
    await t.look(query)
    await withFullDatabase(async endConnections => {
      await endConnections(`query = $$${query}$$`)
      await expect.poll(ready, patient).toEqual([200, { status: 'ok' }])
    })
  })
})

describe('security.txt (RFC 9116) says where to report a vulnerability', () => {
  const securityTxt = async (env: Record<string, string>) => {
    const app = await createApp(readEnv({ LOG_LEVEL: 'silent', ...env }))
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url: '/.well-known/security.txt' })
    await app.close()
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    return Object.fromEntries(
      body
        .trim()
        .split('\n')
        .map(line => line.split(/: (.*)/).slice(0, 2)),
    ) as Record<string, string>
  }

  test('with the configured contact, the public address, and an expiry less than a year away', async () => {
    const fields = await securityTxt({
      PUBLIC_URL: 'https://fieldtest.example/',
      SECURITY_CONTACT: 'https://fieldtest.example/report',
    })
    expect(fields).toMatchObject({
      Contact: 'https://fieldtest.example/report',
      Canonical: 'https://fieldtest.example/.well-known/security.txt',
    })
    const days = (Date.parse(fields['Expires']!) - Date.now()) / 86_400_000
    expect([days > 30, days < 365]).toEqual([true, true])
  })

  test('and by default with the mailbox that a domain reserves for it', async () => {
    expect((await securityTxt({ PUBLIC_URL: 'https://fieldtest.example' }))['Contact']).toBe(
      'mailto:security@fieldtest.example',
    )
    expect(await securityTxt({})).not.toHaveProperty('Canonical')
  })
})
