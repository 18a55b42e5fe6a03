/** The process or its database connection dies at a chosen point: after a restart or a retry, everything is there once. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { draftOf, joinedBy, liveCampaign, daysAndProof, paidTester, type Person, startTestApp, type TestApp } from '../../app/testing/app.ts'
import { atOnce, brokenChecks, connectBeside, lettersOf, tally } from '../../app/testing/witness.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance, Withdrawal } from '../contract.ts'
import { payOut, payRefund } from './ledger.ts'
import { sandbox } from './providers.ts'

let t: TestApp
let developer: Person
let admin: Person
/** Two other clients: one stands in the way, the other one kills. */
let blocker: pg.Client
let killer: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  ;[developer, admin] = (await Promise.all([t.signUp('DEVELOPER'), t.signUp('ADMIN')])) as [Person, Person]
  ;[blocker, killer] = await Promise.all([connectBeside(t), connectBeside(t)])
})
afterAll(async () => {
  await Promise.all([blocker.end(), killer.end()])
  await t.stop()
})

/** The server's connections that wait for the blocker's lock. */
const waiting = `select a.pid from pg_stat_activity a, pg_stat_activity b
  where a.datname = current_database() and a.application_name = 'fieldtest' and a.wait_event_type = 'Lock'
    and b.application_name = 'fieldtest test' and b.pid = $1 and b.pid = any(pg_blocking_pids(a.pid))`

/** Lets `work` run until `count` of its transactions wait for the row that `lock` takes, and kills them right there. */
const dieAt = async <T>(lock: string, values: unknown[], count: number, work: () => Promise<T>): Promise<T> => {
  const { rows: [self] } = await blocker.query<{ pid: number }>('select pg_backend_pid() as pid')
  await blocker.query('begin')
  await blocker.query(`${lock} for update`, values)
  const done = work()
  let pids: number[] = []
  while (pids.length < count) pids = (await killer.query<{ pid: number }>(waiting, [self!.pid])).rows.map(row => row.pid)
  await killer.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids.slice(0, count)])
  await blocker.query('rollback')
  return done
}

const fund = (id: string, key: string) => developer.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: 3450 }, key)
const count = async (query: string, values: unknown[]) => (await t.look<{ n: number }>(`select count(*)::int as n from ${query}`, values))[0]!.n
const traces = async (campaignId: string) => ({
  payments: await count('payments where campaign_id = $1', [campaignId]),
  charges: await count('sandbox_movements where request_id in (select id from payments where campaign_id = $1)', [campaignId]),
  transfers: await count('transfers where campaign_id = $1', [campaignId]),
  lines: await count('transactions where campaign_id = $1', [campaignId]),
})
const nothing = { payments: 0, charges: 0, transfers: 0, lines: 0 }
const once = { payments: 1, charges: 1, transfers: 2, lines: 2 }

describe('a funding whose connection dies', () => {
  test.each([
    ['before anything is written', 'select from campaigns where id = $1', (id: string) => [id]],
    ['with the charge written and not booked', `select from accounts where kind = 'PROVIDER_CASH'`, () => []],
  ])('%s leaves nothing behind, and the retry funds once', async (_point, lock, values) => {
    const { id } = await draftOf(developer)
    const key = `funding ${id}`.replace(' ', '-')
    const died = await dieAt(lock, values(id), 1, () => fund(id, key))
    expect(died).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(await traces(id)).toEqual(nothing)
    expect((await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
    expect(tally(await atOnce(3, () => fund(id, key)))).toEqual({ 200: 3 })
    expect(await traces(id)).toEqual(once)
  })

  test('after it was booked and before it was answered is answered by the retry, and not done again', async () => {
    const { id } = await draftOf(developer)
    const answered = await fund(id, 'unanswered')
    // What a process leaves behind that dies right after the commit.
    await t.look(`update idempotency_keys set reply = null where key = 'unanswered'`)
    const replies = await atOnce(5, () => fund(id, 'unanswered'))
    expect(replies.map(reply => reply.body)).toEqual(Array.from({ length: 5 }, () => answered.body))
    expect(await traces(id)).toEqual(once)
  })

  test('with all the others: 30 fundings, 10 connections killed in the middle, and after the retries each is there once', async () => {
    const drafts = await atOnce(30, () => draftOf(developer))
    const fundAll = () => Promise.all(drafts.map(({ id }) => fund(id, `storm-${id}`)))
    const first = await dieAt(`select from accounts where kind = 'PROVIDER_CASH'`, [], 10, fundAll)
    expect(tally(first)).toEqual({ 200: 20, 503: 10 })
    expect(tally(await fundAll())).toEqual({ 200: 30 })
    for (const { id } of drafts) expect(await traces(id)).toEqual(once)
  })
})

const withdraw = (tester: Person, key: string) => tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1500 }, key)
const withdrawalOf = async ({ user }: Person) =>
  (await t.look<{ id: string; status: string; destination: string }>('select id, status, destination from withdrawals where tester_id = $1', [user.id]))
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const jobsFor = (text: string) => count('pgboss.job where data::text like $1', [`%${text}%`])
/** What a person is told, each with the job that mails it. */
const told = async ({ user }: Person) => ({
  notifications: await count('notifications where user_id = $1', [user.id]),
  jobs: await count(`notifications n join pgboss.job j on j.data->>'notificationId' = n.id::text where n.user_id = $1`, [user.id]),
})
const lettersTo = async ({ user }: Person) =>
  (await lettersOf(t)).filter(letter => letter.startsWith(user.email) && /Withdrawal|Paid/.test(letter)).map(letter => letter.split(': ')[1])

describe('a withdrawal', () => {
  test('whose connection dies leaves no wish, no job and no letter; the retry leaves one of each', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    expect(await told(tester)).toEqual({ notifications: 1, jobs: 1 })
    const wallet = `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`
    const died = await dieAt(wallet, [tester.user.id], 1, () => withdraw(tester, 'retried'))
    expect(died.status).toBe(503)
    expect(await withdrawalOf(tester)).toEqual([])
    expect(await told(tester)).toEqual({ notifications: 1, jobs: 1 })
    expect(await balanceOf(tester)).toBe(2000)

    expect(tally(await atOnce(3, () => withdraw(tester, 'retried')))).toEqual({ 201: 3 })
    const [{ id }] = (await withdrawalOf(tester)) as [{ id: string }]
    expect(await jobsFor(id)).toBe(1)
    expect(await told(tester)).toEqual({ notifications: 2, jobs: 2 })
    await t.advance(1)
    expect(await lettersTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
    expect(await balanceOf(tester)).toBe(500)
  })

  test('that is refused leaves no job and no letter either', async () => {
    const tester = await paidTester(t, developer, admin, 1000)
    const payouts = await count(`pgboss.job where name = 'ledger.pay-out'`, [])
    expect((await withdraw(tester, 'too-much')).status).toBe(422)
    expect(await told(tester)).toEqual({ notifications: 1, jobs: 1 })
    expect(await count(`pgboss.job where name = 'ledger.pay-out'`, [])).toBe(payouts)
  })
})

describe('a payout', () => {
  /** A withdrawal that was asked for; `destination` decides what the sandbox answers. */
  const asked = async (paymentMethod: string | null = null) => {
    const tester = await paidTester(t, developer, admin, 1500)
    if (paymentMethod) {
      await tester.call('PATCH', '/users/me', { paymentMethod })
      await t.advance(24)
    }
    await withdraw(tester, 'payout')
    const [row] = await withdrawalOf(tester)
    return { tester, withdrawalId: row!.id, destination: row!.destination }
  }
  const movements = (id: string) => count('sandbox_movements where request_id = $1', [id])

  test.each([
    ['paid', null, 'COMPLETED', 0, ['Paid out', 'Withdrawal requested']],
    ['declined', 'decline@example.test', 'FAILED', 1500, ['Withdrawal failed', 'Withdrawal requested']],
  ])('that dies after the provider %s and before the record is recorded once by the next try', async (_answer, method, status, balance, letters) => {
    const { tester, withdrawalId, destination } = await asked(method)
    await sandbox.payOut({ requestId: withdrawalId, amountCents: 1500, counterparty: destination })
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'PENDING' }])
    // The data checks know of money that was paid a moment ago and is about to be recorded.
    expect(await brokenChecks()).toEqual([])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status }])
    expect(await movements(withdrawalId)).toBe(1)
    expect(await balanceOf(tester)).toBe(balance)
    expect(await lettersTo(tester)).toEqual(letters)
  })

  test('whose connection dies while it is recorded is recorded by the next try, with one letter', async () => {
    const { tester, withdrawalId } = await asked()
    const died = await dieAt('select from withdrawals where id = $1', [withdrawalId], 1, () =>
      payOut.run({ withdrawalId }).then(() => null, (error: unknown) => error),
    )
    expect(died).toBeInstanceOf(Error)
    expect(await movements(withdrawalId)).toBe(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'PENDING' }])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await movements(withdrawalId)).toBe(1)
    expect(await lettersTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
  })

  test('that several workers carry out at once, and again afterwards, is paid once and told once', async () => {
    const { tester, withdrawalId } = await asked()
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => payOut.run({ withdrawalId })))
    expect(settled.some(({ status }) => status === 'fulfilled')).toBe(true)
    await payOut.run({ withdrawalId })
    await t.advance(1)
    expect(await movements(withdrawalId)).toBe(1)
    expect(await lettersTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
    expect(await balanceOf(tester)).toBe(0)
  })

  test('whose job is lost is made up for after a day: no money stays in transit', async () => {
    const { tester, withdrawalId } = await asked()
    await t.look('delete from pgboss.job where data::text like $1', [`%${withdrawalId}%`])
    await t.advance(23)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'PENDING' }])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await lettersTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
  })
})

describe('a refund', () => {
  const refundOf = (campaignId: string) =>
    t.look<{ id: string; status: string; amount_cents: number }>('select id, status, amount_cents from refunds where campaign_id = $1', [campaignId])
  const cancelled = async () => {
    const { id } = await liveCampaign(developer, admin)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    return { campaignId: id, refundId: (await refundOf(id))[0]!.id }
  }

  test('that is carried out by several workers at once reaches the developer once', async () => {
    const { campaignId, refundId } = await cancelled()
    await sandbox.refund({ requestId: refundId, amountCents: 3450, counterparty: developer.user.email })
    await Promise.allSettled(Array.from({ length: 6 }, () => payRefund.run({ refundId })))
    await t.advance(1)
    expect(await refundOf(campaignId)).toEqual([{ id: refundId, status: 'COMPLETED', amount_cents: 3450 }])
    expect(await count('sandbox_movements where request_id = $1', [refundId])).toBe(1)
    expect(await count(`transfers where business_key = 'refund-out:' || $1`, [refundId])).toBe(1)
  })

  test('whose job is lost is made up for after a day', async () => {
    const { campaignId, refundId } = await cancelled()
    await t.look('delete from pgboss.job where data::text like $1', [`%${refundId}%`])
    await t.advance(24)
    expect(await refundOf(campaignId)).toMatchObject([{ status: 'COMPLETED' }])
  })
})

test.each(['verify', 'cancel'] as const)('a %s whose connection dies while it pays changes nothing, and the retry pays once', async action => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
  const person = await t.signUp('TESTER')
  const participationId = (await joinedBy(person, id)).id
  if (action === 'verify') await daysAndProof(t, [{ person, participationId }], 1)
  else await person.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, {})
  const path = action === 'verify' ? `/campaign-testers/${participationId}/verify` : `/campaigns/${id}/cancel`
  const ask = () => developer.call('POST', path, undefined, `${action}-${id}`)
  const escrow = `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`
  expect((await dieAt(escrow, [id], 1, ask)).status).toBe(503)
  expect(await balanceOf(person)).toBe(0)
  expect((await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.status).toBe('LIVE')
  expect(tally(await atOnce(3, ask))).toEqual({ 200: 3 })
  expect(await balanceOf(person)).toBe(1000)
  await t.advance(0)
  const letters = (await lettersOf(t)).filter(letter => letter.startsWith(person.user.email))
  expect(letters).toHaveLength(1)
})

test('the books balance', async () => {
  await t.advance(1)
  expect(await brokenChecks()).toEqual([])
})
