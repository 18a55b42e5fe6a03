/** The provider holds what our books say. A difference that stays unexplained for minutes stops withdrawals. */
import { beforeAll, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { fundedBy, paidTester } from '../../testing/app.ts'
import type { Balance } from '../contract.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { recorded } from '../../testing/recorded.ts'
import { transact } from '../../kit/server/db.ts'
import { bringJobsForward, runDueJobs } from '../../kit/server/dueJobs.ts'
import { checkData } from '../../operations/server/operations.ts'
import { checkBalance, compareWithProvider } from './books.ts'
import { sandboxMovements } from './sandboxFile.ts'
import { payoutsStopped } from './stops.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const owner = signedUp(t, 'DEVELOPER')
let tester: Awaited<ReturnType<typeof paidTester>>
beforeAll(async () => {
  tester = await paidTester(t, owner, admin, 20_000)
})

const withdraw = () => tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
const statusOf = async (id: string) =>
  (await t.look<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]?.status
const stops = () => transact(async tx => (await payoutsStopped(tx)) !== null)
const movesAlone = async (kind: 'CHARGE' | 'PAYOUT' | 'RETURN', amountCents: number) => {
  const id = randomUUID()
  const movements = await sandboxMovements()
  await movements.record({
    key: id,
    id,
    kind,
    amountCents,
    of: id,
    declined: null,
    at: new Date(0).toISOString(),
  })
}

const letGoOn = async () =>
  admin.call('POST', '/admin/operations/let-withdrawals-go-on', {
    breachIds: (await t.look<{ id: string }>('select id from money_breaches')).map(({ id }) => id),
    reason: 'A payout of a test, made by hand.',
  })

test('books and provider agree after funding, refunds and payouts, by the running sum and by all transfers', async () => {
  const { id } = await fundedBy(owner)
  await owner.call('POST', `/campaigns/${id}/cancel`)
  await withdraw()
  await t.advance(1)
  const [kept, summed] = [await compareWithProvider({ inFull: false }), await compareWithProvider({ inFull: true })]
  expect(kept).toEqual(summed)
  expect(kept).toMatchObject({ provider: 'sandbox', offCents: 0 })
  expect(kept.balanceCents).toBe(kept.mostCents)
})

test('a payout on its way is no difference, whether or not the provider has made it', async () => {
  await withdraw()
  const asked = await compareWithProvider({ inFull: false })
  expect(asked).toMatchObject({ offCents: 0 })
  expect(asked.mostCents).toBe(asked.leastCents)
  // It was paid, and the answer was lost.
  await tester.call('PATCH', '/users/me', { paymentMethod: 'lost@example.test', currentPassword: 'correct horse' })
  await t.advance(25)
  await t.advance(1)
  expect(await compareWithProvider({ inFull: false })).toMatchObject({ offCents: 0 })
})

test('a difference counts only when it is seen three times, because money may move meanwhile', async () => {
  const { balanceCents } = await compareWithProvider({ inFull: false })
  const answering = (...answers: number[]) => {
    let asked = 0
    return { name: 'sandbox', balanceCents: async () => answers[asked++]!, asked: () => asked }
  }
  const moving = answering(balanceCents - 5, balanceCents)
  expect(await compareWithProvider({ inFull: false, provider: moving })).toMatchObject({ offCents: 0 })
  expect(moving.asked()).toBe(2)
  const off = answering(balanceCents - 5, balanceCents - 5, balanceCents - 5)
  expect(await compareWithProvider({ inFull: false, provider: off })).toMatchObject({ offCents: -5 })
  const still = answering(balanceCents)
  expect(await compareWithProvider({ inFull: false, provider: still })).toMatchObject({ offCents: 0 })
})

test('payouts that were taken from the queue together share one comparison', async () => {
  for (let count = 0; count < 6; count++) expect((await withdraw()).status).toBe(201)
  await bringJobsForward(1)
  const asked = await recorded(() => runDueJobs())
  // Our books are read before the provider is asked, and after.
  expect(asked.filter(text => text.includes('"lostCents"'))).toHaveLength(2)
  expect(await t.look(`select from provider_calls where status = 'PENDING' and sends = 1`)).toHaveLength(6)
  await t.advance(1)
  expect(await t.look(`select from withdrawals where status <> 'COMPLETED'`)).toEqual([])
})

const minutes = (count: number) => t.advance(count / 60)

test('a difference makes payouts wait, and one that passes is no breach', async () => {
  const { body } = await withdraw()
  await movesAlone('PAYOUT', 50)
  await minutes(2)
  expect(await statusOf(body.id)).toBe('PENDING')
  const { recentTransactions } = (await tester.call<Balance>('GET', '/testers/balance')).body
  expect(recentTransactions[0]!.hold).toMatchObject({
    kind: 'COMPARING',
    sentence: expect.stringContaining('few minutes') as string,
  })
  await movesAlone('RETURN', 50)
  await minutes(4)
  await minutes(2)
  expect(await statusOf(body.id)).toBe('COMPLETED')
  expect(await t.look('select from money_breaches')).toEqual([])
  expect(await stops()).toBe(false)
})

test('a difference that changes direction starts over, and the smallest amount of a fluctuating one counts', async () => {
  const breaches = () => t.look('select off_cents as off from money_breaches')
  await movesAlone('PAYOUT', 90)
  await checkBalance({ inFull: false })
  await movesAlone('RETURN', 160)
  await minutes(6)
  expect(await breaches()).toEqual([])
  await movesAlone('PAYOUT', 30)
  await minutes(2)
  await movesAlone('RETURN', 20)
  await minutes(4)
  expect(await breaches()).toEqual([{ off: { sandbox: 40 } }])
  await movesAlone('PAYOUT', 60)
  await t.look('delete from money_breaches')
})

test('a difference that lasts five minutes stops payouts, and they are paid once it is explained', async () => {
  const { id } = (await withdraw()).body
  await movesAlone('PAYOUT', 123)
  await minutes(1)
  expect(await stops()).toBe(false)
  await minutes(3)
  expect(await stops()).toBe(false)
  await minutes(3)
  expect(await statusOf(id)).toBe('PENDING')
  expect(await stops()).toBe(true)
  const [breach] = await t.look<{ off: object }>('select off_cents as off from money_breaches')
  expect(breach).toEqual({ off: { sandbox: -123 } })
  await letGoOn()
  await runDueJobs()
  await t.advance(1)
  expect(await statusOf(id)).toBe('COMPLETED')
  expect(await checkBalance({ inFull: true })).toMatchObject({ offCents: -123, offSince: null })
  expect(await stops()).toBe(false)
  await movesAlone('PAYOUT', 1)
  await checkBalance({ inFull: false })
  expect(await stops()).toBe(false)
  await minutes(3)
  await minutes(3)
  expect(await stops()).toBe(true)
  // What follows an accepted breach is new, although the last look found a breach of the same kind.
  await letGoOn()
  await movesAlone('PAYOUT', 7)
  expect(await checkBalance({ inFull: false })).toMatchObject({ offCents: -131, offSince: expect.any(String) })
  await movesAlone('RETURN', 7)
})

test('an unknown charge goes back by itself, and is no breach', async () => {
  const before = await compareWithProvider({ inFull: false })
  await movesAlone('CHARGE', 700)
  const after = await compareWithProvider({ inFull: false })
  expect(after.balanceCents - before.balanceCents).toBe(700)
  expect(after.offCents).toBe(before.offCents)
})

test('the checks of the night compare them as well, and report a difference at once', async () => {
  const { offCents } = await compareWithProvider({ inFull: true })
  await movesAlone('PAYOUT', 5)
  await expect(checkData.run({})).rejects.toThrow(`provider-balance: off by ${offCents - 5} cents`)
})
