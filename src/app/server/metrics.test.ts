/** Metrics say what happened, name no user, and are shown to Prometheus alone. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { fundedBy, paidTester, password } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { projectRoot } from '../../kit/server/root.ts'
import { followDatabase } from '../../backups/server/following.ts'
import { openVault } from '../../backups/server/vault.ts'
import { checkChanges, checkData } from '../../operations/server/operations.ts'
import { createApp } from './app.ts'
import { readEnv } from './env.ts'

const t = testApp()
const tester = signedUp(t, 'TESTER')
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const token = 'a token of a scraper'.replaceAll(' ', '-')
const secrets = { JWT_SECRET: 'x'.repeat(40), ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }

const made: FastifyInstance[] = []
const appWith = async (env: NodeJS.ProcessEnv) => {
  const app = await createApp(readEnv({ LOG_LEVEL: 'silent', ...env }))
  made.push(app)
  return app
}
afterAll(() => Promise.all(made.map(app => app.close())))

type From = { headers?: Record<string, string>; remoteAddress?: string }
const scrape = (app: FastifyInstance, from: From = {}) => app.inject({ url: '/metrics', ...from })
const valueOf = (text: string, series: string) => {
  const line = text.split('\n').find(one => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('requests are counted by operation and status, never by address or user', async () => {
  const app = await appWith({})
  await app.inject({ url: '/api/v1/users/me' })
  await app.inject({ url: '/api/v1/users/me', headers: { authorization: `Bearer ${tester.accessToken}` } })
  await app.inject({ url: '/api/v1/campaigns/019e8a00-0000-7000-8000-000000000000' })
  await app.inject({ url: '/api/v1/no-such-thing' })
  const { payload } = await scrape(app)
  const requests = (operation: string, status: number) =>
    valueOf(payload, `fieldtest_http_requests_total{operation="${operation}",status="${status}"}`)
  expect(requests('accounts.me', 401)).toBe(1)
  expect(requests('accounts.me', 200)).toBe(1)
  expect(requests('campaigns.get', 401)).toBe(1)
  expect(valueOf(payload, 'fieldtest_http_request_seconds_count{operation="accounts.me"}')).toBe(2)
  expect(payload).not.toContain(tester.user.id)
  expect(payload).not.toContain('019e8a00')
  expect(payload).not.toContain('no-such-thing')
})

test('backups that are configured but were never made have an age all the same', async () => {
  const app = await appWith({})
  const told = async () => {
    const { payload } = await scrape(app)
    return ['age', 'unsent'].map(what => valueOf(payload, `fieldtest_backup_${what}_seconds`))
  }
  expect(await told()).toEqual([0, 0])
  const failed = Promise.withResolvers<void>()
  const end = followDatabase({
    vault: await openVault(join(t.dataDir, 'backups'), Buffer.alloc(32, 1)),
    source: { replicationUrl: 'postgres://nobody@127.0.0.1:1/none', embedded: false },
    keepDays: 7,
    onError: () => failed.resolve(),
  })
  await failed.promise
  for (const seconds of await told()) expect(seconds).toBeGreaterThan(0)
  await end()
  expect(await told()).toEqual([0, 0])
})

test('pools, event loop, queues and money are exported, and that the database answers', async () => {
  const { payload, headers } = await scrape(await appWith({}))
  expect(headers['content-type']).toContain('version=0.0.4')
  for (const series of [
    'fieldtest_database_up',
    'fieldtest_streams_open',
    'fieldtest_pool_connections_max{pool="writes"}',
    'fieldtest_pool_waiting{pool="reads"}',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'fieldtest_jobs{queue="notifications.send-mail",state="waiting"}',
    'fieldtest_job_wait_seconds{queue="ledger.pay-out"}',
    'fieldtest_money_in_transit_cents{kind="withdrawals"}',
    'fieldtest_money_in_transit_oldest_seconds{kind="refunds"}',
    'fieldtest_escrow_aging_campaigns{state="due"}',
  ])
    expect([series, valueOf(payload, series)]).toEqual([series, expect.any(Number)])
  expect(valueOf(payload, 'fieldtest_database_up')).toBe(1)
})

test('every metric that an alert or the dashboard uses is exported', async () => {
  await checkData.run({})
  await checkChanges.run({})
  const app = await appWith({})
  await app.inject({ url: '/api/v1/pricing' })
  const { payload } = await scrape(app)
  const files = ['prometheus/alerts.yml', 'grafana/fieldtest.json']
  const texts = await Promise.all(files.map(file => readFile(join(projectRoot, 'deploy', file), 'utf8')))
  const named = new Set(texts.join('\n').match(/\b(?:fieldtest|nodejs|process)_[a-z0-9_]+/g))
  expect(named.size).toBeGreaterThan(10)
  // Without a standby, its metrics have a TYPE line but no samples (replicas.test.ts has a standby).
  const [{ took }] = (await t.look<{ took: number }>('select took_ms as took from money_watch')) as [{ took: number }]
  expect(valueOf(payload, 'fieldtest_money_watch_seconds')).toBe(took / 1000)
  const told = new Set(Array.from(payload.matchAll(/^(?:# TYPE (?=fieldtest_replica_))?(\w+)/gm), ([, name]) => name))
  expect([...named].filter(name => !told.has(name))).toEqual([])
})

test('without a token, metrics are shown to this machine alone, outside production, and not through a proxy', async () => {
  const app = await appWith({})
  expect((await scrape(app)).statusCode).toBe(200)
  expect((await scrape(app, { remoteAddress: '203.0.113.7' })).statusCode).toBe(404)
  expect((await scrape(app, { headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode).toBe(404)
  expect((await scrape(await appWith({ NODE_ENV: 'production', ...secrets }))).statusCode).toBe(404)
})

test('with a token, they are shown to whoever presents it, from anywhere, and to nobody else', async () => {
  const app = await appWith({ NODE_ENV: 'production', ...secrets, METRICS_TOKEN: token })
  const from = (authorization: string) => scrape(app, { headers: { authorization }, remoteAddress: '203.0.113.7' })
  expect((await from(`Bearer ${token}`)).statusCode).toBe(200)
  for (const wrong of ['', 'Bearer', `Bearer ${token}x`, token, `Basic ${token}`])
    expect((await from(wrong)).statusCode).toBe(404)
  expect((await scrape(app)).statusCode).toBe(404)
})

// Last, because the data fails the checks afterwards.
describe('money on its way is exported, and counts as late only once nothing holds it back', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await appWith({})
  })
  const told = async (kind: string) => {
    const { payload } = await scrape(app)
    const [cents, seconds] = ['cents', 'oldest_seconds'].map(what =>
      valueOf(payload, `fieldtest_money_in_transit_${what}{kind="${kind}"}`)!,
    )
    return { cents, isLate: seconds! > 3600 }
  }

  test('a withdrawal: held by an admin’s approval, then by the suspension of its tester', async () => {
    const payee = await paidTester(t, developer, admin, 5000)
    await payee.call('PATCH', '/users/me', { paymentMethod: 'pay@example.test', currentPassword: password })
    await t.advance(25)
    await t.look('update settings set payout_approval_cents = 1500')
    await payee.call('POST', '/testers/withdraw', { amountCents: 2000 })
    await t.look(`update withdrawals set created_at = created_at - interval '2 hours'`)
    expect(await told('withdrawals')).toEqual({ cents: 2000, isLate: false })
    await t.look(`update payout_approvals set outcome = 'LAPSED', decided_at = requested_at - interval '2 hours'`)
    expect(await told('withdrawals')).toEqual({ cents: 2000, isLate: true })
    await t.look(`update users set suspended_at = created_at, suspension_reason = 'Under review.' where id = $1`, [
      payee.user.id,
    ])
    expect(await told('withdrawals')).toEqual({ cents: 2000, isLate: false })
    await t.look('update withdrawals set claimed_at = created_at')
    expect(await told('withdrawals')).toEqual({ cents: 2000, isLate: true })
  })

  test('a refund: held for six hours after a refusal, then by a dispute of its payment', async () => {
    const { news } = disputesIn(t, admin)
    const { id } = await fundedBy(developer)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await t.look(`update refunds set created_at = created_at - interval '2 hours'`)
    expect(await told('refunds')).toEqual({ cents: 3450, isLate: true })
    const refusedHoursAgo = (hours: number) =>
      t.look(
        `update provider_calls set status = 'REFUSED', reason = 'No.', settled_at = $1::timestamptz - make_interval(hours => $2)
          where kind = 'REFUND'`,
        [clock.now(), hours],
      )
    await refusedHoursAgo(5)
    expect(await told('refunds')).toEqual({ cents: 3450, isLate: false })
    await refusedHoursAgo(8)
    expect(await told('refunds')).toEqual({ cents: 3450, isLate: true })
    await news(id, 'OPEN')
    expect(await told('refunds')).toEqual({ cents: 3450, isLate: false })
  })
})
