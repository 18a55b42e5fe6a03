/** A PostgreSQL that stops answering without closing a connection. */
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { draftOf, password } from '../../testing/app.ts'
import { brokenChecks, connectBeside, atOnce, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { openWire, type Wire } from '../../testing/wire.ts'
import { answers, sql, transact } from './db.ts'
import { during, jobLimits, reportLimits, requestWork, workOf } from './limits.ts'

let wire: Wire
const t = testApp(
  {},
  {
    onError: () => undefined,
    via: async url => {
      wire = await openWire(url)
      return wire.url
    },
  },
)
const developer = signedUp(t, 'DEVELOPER')
let beside: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
})
/** A connection that has just been cut may be handed out once more. */
const cut = async () => {
  wire.cut()
  await expect.poll(async () => (await developer.call('PATCH', '/users/me', { name: 'Dora' })).status).toBe(200)
  await expect.poll(async () => (await developer.call('GET', '/campaigns')).status).toBe(200)
}
afterEach(cut)
afterAll(async () => {
  await beside.end()
  await wire.stop()
})

const unavailable = { status: 503, body: { code: 'UNAVAILABLE' }, headers: { 'retry-after': '2' } }
const ready = async () => (await t.app.inject({ method: 'GET', url: '/health/ready' })).statusCode

describe('while PostgreSQL is frozen', () => {
  test('reads, writes, sign-in and readiness get 503, even when there are more of them than connections', async () => {
    const login = { body: { email: developer.user.email, password } }
    expect((await developer.call('GET', '/campaigns')).status).toBe(200)
    expect(await ready()).toBe(200)
    wire.freeze()
    const replies = await Promise.all([
      atOnce(20, () => developer.call('GET', '/campaigns')),
      atOnce(20, () => developer.call('PATCH', '/users/me', { name: 'Frozen' })),
      atOnce(3, () => t.call('POST', '/auth/login', login)),
    ])
    for (const reply of replies.flat()) expect(reply).toMatchObject(unavailable)
    expect(await ready()).toBe(503)
    wire.thaw()
    expect(tally(await atOnce(20, () => developer.call('GET', '/campaigns')))).toEqual({ 200: 20 })
    expect((await t.call('POST', '/auth/login', login)).status).toBe(200)
    expect(await ready()).toBe(200)
  })

  test('a scrape reports it, and still has what the server itself knows, but nothing from the database', async () => {
    const scrape = async () => (await t.app.inject({ method: 'GET', url: '/metrics' })).payload
    expect(await scrape()).toContain('\nfieldtest_database_up 1\n')
    wire.freeze()
    const told = await scrape()
    expect(told).toContain('\nfieldtest_database_up 0\n')
    expect(told).toContain('\nfieldtest_pool_waiting{pool="reads"} ')
    expect(told).not.toContain('fieldtest_jobs{')
  })

  test('a report and a job, which may take longer, are given up as well', async () => {
    const { promise: frozen, resolve: go } = Promise.withResolvers<void>()
    const outcomes = [requestWork('reads', reportLimits), workOf('jobs', jobLimits)].map(work => {
      const begun = Promise.withResolvers<void>()
      const outcome = during(work, () =>
        transact(async tx => {
          begun.resolve()
          await frozen
          await tx.rows(sql`select 1 as one`)
        }),
      ).catch((error: unknown) => error)
      return { begun: begun.promise, outcome }
    })
    for (const { begun } of outcomes) await begun
    wire.freeze()
    go()
    for (const { outcome } of outcomes) expect(await outcome).toMatchObject({ name: 'NoAnswer', code: 'ETIMEDOUT' })
  })
})

test('a single silence of PostgreSQL does not end work that may take longer', async () => {
  await beside.query('begin; lock table passkeys in access exclusive mode')
  const outcome = during(workOf('jobs', jobLimits), () =>
    transact(tx => tx.value(sql`select count(*) from passkeys`)),
  ).catch((error: unknown) => error)
  await wire.freezeAt('select 1', { delivered: false })
  // This shares the statement's own question, as concurrent callers do.
  expect(await answers()).toBe(false)
  wire.thaw()
  expect(await answers()).toBe(true)
  await beside.query('rollback')
  expect(await outcome).toBe(0)
})

test('a PostgreSQL that takes no new connections, such as one shutting down, is not ready although it answers on old ones', async () => {
  expect(await ready()).toBe(200)
  wire.lead('postgres://127.0.0.1:1/nobody')
  await expect.poll(ready, { timeout: 10_000 }).toBe(503)
  wire.lead(t.databaseUrl)
  await expect.poll(ready, { timeout: 10_000 }).toBe(200)
})

describe('a commit without an answer', () => {
  const funded = (id: string, cents: number) =>
    developer.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: cents }, `fund-${id}`)
  const statusOf = async (id: string) =>
    (await beside.query<{ status: string }>('select status from campaigns where id = $1', [id])).rows[0]?.status
  const chargesOf = async (id: string) =>
    (await beside.query('select from charges where campaign_id = $1', [id])).rowCount
  const paymentsOf = async (id: string) =>
    (await beside.query('select from payments where campaign_id = $1', [id])).rowCount

  test('that took effect is 503, and the same key gets its answer: paid once', async () => {
    const { id, totalCostCents } = await draftOf(developer)
    const frozen = wire.freezeAt('commit', { delivered: true })
    const first = funded(id, totalCostCents)
    await frozen
    expect(await first).toMatchObject(unavailable)
    await cut()
    expect(await statusOf(id)).toBe('DRAFT')
    expect(await chargesOf(id)).toBe(1)
    expect(await funded(id, totalCostCents)).toMatchObject({ status: 200, body: { status: 'PENDING_APPROVAL' } })
    expect(await paymentsOf(id)).toBe(1)
  })

  test('that never arrived is 503, and the same key then makes the payment: paid once', async () => {
    const { id, totalCostCents } = await draftOf(developer)
    const frozen = wire.freezeAt('commit', { delivered: false })
    const first = funded(id, totalCostCents)
    await frozen
    expect(await first).toMatchObject(unavailable)
    await cut()
    expect(await chargesOf(id)).toBe(0)
    expect(await funded(id, totalCostCents)).toMatchObject({ status: 200, body: { status: 'PENDING_APPROVAL' } })
    expect(await paymentsOf(id)).toBe(1)
  })

  test('that arrives late, when a frozen machine goes on, takes effect, and the same key does not pay again', async () => {
    const { id, totalCostCents } = await draftOf(developer)
    const frozen = wire.freezeAt('commit', { delivered: false })
    const first = funded(id, totalCostCents)
    await frozen
    expect(await first).toMatchObject(unavailable)
    wire.thaw()
    await expect.poll(() => chargesOf(id)).toBe(1)
    expect((await funded(id, totalCostCents)).status).toBe(200)
    expect(await paymentsOf(id)).toBe(1)
    expect(await brokenChecks()).toEqual([])
  })
})

test('a transaction frozen midway is undone, and its rows are free again', async () => {
  const failure = transact(async tx => {
    await tx.run(sql`update users set name = 'Half' where id = ${developer.user.id}`)
    wire.freeze()
    await tx.run(sql`update users set name = 'Whole' where id = ${developer.user.id}`)
  }).catch((error: unknown) => error)
  expect(await failure).toMatchObject({ name: 'NoAnswer' })
  wire.thaw()
  await expect.poll(async () => (await developer.call('PATCH', '/users/me', { name: 'Afterwards' })).status).toBe(200)
  expect((await developer.call('GET', '/users/me')).body).toMatchObject({ name: 'Afterwards' })
})
