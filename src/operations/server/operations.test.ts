/** What an admin sees of the product's health is true: the checks, the queues, and the money on its way. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fundedBy, paidTester } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { transact } from '../../kit/server/db.ts'
import { payoutsStopped } from '../../ledger/server/ledger.ts'
import { runDueJobs } from '../../kit/server/dueJobs.ts'
import type { Operations } from '../contract.ts'
import { checkData, checksRunNextAt } from './checks.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const owner = signedUp(t, 'DEVELOPER')
let tester: Awaited<ReturnType<typeof paidTester>>
beforeAll(async () => {
  tester = await paidTester(t, owner, admin, 5000)
})

// Lets withdrawals resume.
afterEach(() => t.look('delete from money_breaches'))

const operations = async () => (await admin.call<Operations>('GET', '/admin/operations')).body
const lastOf = async (name: string) => (await operations()).checks.find(one => one.name === name)!.last
const runNow = () => admin.call('POST', '/admin/operations/run-checks')
const waitingChecks = () => t.look(`select from pgboss.job where name = '${checkData.name}' and state < 'completed'`)
const moveBalance = (cents: number) =>
  t.look(
    `begin; set local fieldtest.posting = 'on'; update accounts set balance_cents = balance_cents + ${cents} where kind = 'TESTER_BALANCE'; commit`,
  )

test('before their first run, checks are listed with what they guarantee, and none is shown as passed', async () => {
  const { checks, checkingSince } = await operations()
  expect(checks.map(({ name }) => name)).toContain('ledger-balances')
  expect(checks.every(({ says, last }) => says.endsWith('.') && last === null)).toBe(true)
  expect(checkingSince).toBeNull()
})

test('after an admin runs the checks, each shows when it ran and that nothing is broken', async () => {
  // One of an earlier release, which nobody would ever run again.
  await t.look(
    `insert into check_results (name, ran_at, took_ms, broken, examples, broken_since)
    values ('retired', now(), 1, 1, '[]', now())`,
  )
  expect((await runNow()).status).toBe(204)
  await runDueJobs()
  expect(await t.look(`select from check_results where name = 'retired'`)).toEqual([])
  const { checks, checkingSince } = await operations()
  expect(checks.map(({ last }) => [last?.broken, last?.error, last?.brokenSince])).toEqual(
    checks.map(() => [0, null, null]),
  )
  expect(checkingSince).toBeNull()
})

test('a broken check shows since when and which rows, until it passes again', async () => {
  await moveBalance(1)
  await expect(checkData.run({})).rejects.toThrow(/ledger-balances: 1 rows/)
  const first = await lastOf('ledger-balances')
  expect(first).toMatchObject({ broken: 1, error: null })
  expect(JSON.parse(first!.examples[0]!)).toMatchObject({ kind: 'TESTER_BALANCE', owner_id: tester.user.id })
  await t.advance(1)
  await expect(checkData.run({})).rejects.toThrow('ledger-balances')
  const second = await lastOf('ledger-balances')
  expect(second!.brokenSince).toBe(first!.brokenSince)
  expect(second!.at > first!.at).toBe(true)
  expect((await transact(async tx => ({ stop: await payoutsStopped(tx) }))).stop).not.toBeNull()
  await moveBalance(-1)
  await checkData.run({})
  expect(await lastOf('ledger-balances')).toMatchObject({ broken: 0, brokenSince: null, examples: [] })
})

test('a check that cannot run says why, and does not stop others', async () => {
  await t.look('alter table bug_numbers rename to bug_numbers_moved')
  await moveBalance(1)
  await expect(checkData.run({})).rejects.toThrow(/bugs: .*does not exist.*ledger-balances: 1 rows/)
  expect(await lastOf('bugs')).toMatchObject({ broken: null, error: expect.stringContaining('bug_numbers') as string })
  await moveBalance(-1)
  await t.look('alter table bug_numbers_moved rename to bug_numbers')
  await checkData.run({})
  expect(await lastOf('bugs')).toMatchObject({ broken: 0, error: null })
})

test('nobody can start the checks while they run; a run whose server died does not block the next', async () => {
  await t.look(`insert into check_rounds (started_at) values ((select max(started_at) from check_rounds))`)
  expect((await operations()).checkingSince).not.toBeNull()
  await runNow()
  expect(await waitingChecks()).toEqual([])
  await t.look(`update check_rounds set started_at = started_at - interval '4 hours 1 minute' where ended_at is null`)
  expect((await operations()).checkingSince).toBeNull()
  await runNow()
  expect(await waitingChecks()).toHaveLength(1)
  await runDueJobs()
})

test('the next scheduled run is in the coming night', () => {
  expect(checksRunNextAt('2026-11-22T04:06:59.000Z')).toBe('2026-11-22T04:07:00.000Z')
  expect(checksRunNextAt('2026-11-22T04:07:00.000Z')).toBe('2026-11-23T04:07:00.000Z')
})

test('money on its way and the job that sends it are shown until the money has arrived', async () => {
  await tester.call('PATCH', '/users/me', { paymentMethod: 'pay@example.test', currentPassword: 'correct horse' })
  await t.advance(25)
  await tester.call('POST', '/testers/withdraw', { amountCents: 1500 })
  const [withdrawals, refunds] = (await operations()).money
  expect(withdrawals).toMatchObject({ kind: 'WITHDRAWALS', count: 1, amountCents: 1500 })
  expect(refunds).toEqual({ kind: 'REFUNDS', count: 0, amountCents: 0, oldestAt: null })
  await t.look(`update pgboss.job set start_after = now() - interval '90 seconds' where name = 'ledger.pay-out'`)
  const payOut = async () => (await operations()).queues.find(({ name }) => name === 'ledger.pay-out')
  expect(await payOut()).toMatchObject({ waiting: 1, oldestDueAt: expect.any(String) as string })
  const idle = (await operations()).queues.filter(({ waiting }) => waiting === 0)
  expect(new Set(idle.map(({ oldestDueAt }) => oldestDueAt))).toEqual(new Set([null]))
  await runDueJobs()
  expect(await payOut()).toMatchObject({ waiting: 0, oldestDueAt: null })
  expect((await operations()).money[0]).toMatchObject({ count: 0, amountCents: 0, oldestAt: null })
})

test('a dispute of a payment that only the provider knows is shown while it is open', async () => {
  const seen = async () => (await operations()).money.find(({ kind }) => kind === 'LOST_DISPUTES')
  await t.look(
    `with charge as (
       insert into lost_movements (id, kind, of_id, amount_cents, at)
         values (gen_random_uuid(), 'REFUND', gen_random_uuid(), 4000, now()) returning id
     )
     insert into lost_disputes (id, provider, reference, charge_id, amount_cents, reason, status, opened_at, closed_at, recorded_at)
       select gen_random_uuid(), 'test', status, charge.id, cents, 'general', status, now(), closed, now()
       from charge, (values ('OPEN', 4000, null), ('WON', 2000, now())) dispute (status, cents, closed)`,
  )
  expect(await seen()).toMatchObject({ count: 1, amountCents: 4000, oldestAt: expect.any(String) })
  await t.look(`update lost_disputes set status = 'WON', closed_at = now() where status = 'OPEN'`)
  expect(await seen()).toMatchObject({ count: 0, amountCents: 0 })
  await t.look(`with gone as (delete from lost_disputes returning charge_id)
    delete from lost_movements where id in (select charge_id from gone)`)
})

test('a refund from before a restore is stuck from its return until it is sent again', async () => {
  const stuck = async () => (await operations()).money.find(({ kind }) => kind === 'REFUNDS_STUCK')
  await t.look(`insert into lost_movements (id, kind, of_id, amount_cents, at)
    values (gen_random_uuid(), 'REFUND', gen_random_uuid(), 4000, now())`)
  expect(await stuck()).toMatchObject({ count: 0, amountCents: 0 })
  await t.look('update lost_movements set returned_at = now()')
  expect(await stuck()).toMatchObject({ count: 1, amountCents: 4000, oldestAt: expect.any(String) })
  await t.look('update lost_movements set booked_at = now()')
  expect(await stuck()).toMatchObject({ count: 0, amountCents: 0 })
  await t.look('delete from lost_movements')
})

test('refunds are shown as on their way until they are paid', async () => {
  const refunds = async () => (await operations()).money.find(({ kind }) => kind === 'REFUNDS')
  await t.advance(1)
  const { id } = await fundedBy(owner)
  await owner.call('POST', `/campaigns/${id}/cancel`)
  expect(await refunds()).toMatchObject({ count: 1, amountCents: 3450, oldestAt: expect.any(String) })
  // One that is stuck is on its way no longer.
  await t.look(`update refund_parts set stuck_since = now() where status = 'PENDING'`)
  expect(await refunds()).toMatchObject({ count: 0, amountCents: 0, oldestAt: null })
  await t.look('update refund_parts set stuck_since = null')
  await t.advance(1)
  expect(await refunds()).toMatchObject({ count: 0, amountCents: 0, oldestAt: null })
})
