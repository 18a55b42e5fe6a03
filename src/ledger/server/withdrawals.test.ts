import { describe, expect, test } from 'vitest'
import { paidTester, type Person, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, emailsOf, tally } from '../../testing/observed.ts'
import { clock } from '../../kit/clock.ts'
import type { Balance, Transaction, Withdrawal } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const withdraw = (tester: Person, amountCents: unknown, key?: string) =>
  tester.call<Withdrawal & { code?: string; message?: string }>('POST', '/testers/withdraw', { amountCents }, key)
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body
const statementOf = async (tester: Person) =>
  (await tester.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data.map(line => [
    line.type,
    line.status,
    line.amountCents,
  ])
const emailsTo = async ({ user }: Person) =>
  (await emailsOf(t))
    .filter(email => email.startsWith(user.email) && !email.includes('earned'))
    .map(email => email.split(': ').slice(1).join(': '))

describe('a withdrawal', () => {
  test('of the whole balance, 30 times at once, happens once', async () => {
    const tester = await paidTester(t, developer, admin, 5000)
    const replies = await inParallel(30, () => withdraw(tester, 5000))
    expect(tally(replies)).toEqual({ 201: 1, 422: 29 })
    expect(replies.find(reply => reply.status === 422)?.body).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      message: 'Insufficient balance',
      fields: { amountCents: 'Insufficient balance' },
    })
    expect(await balanceOf(tester)).toMatchObject({ balanceCents: 0, onTheWayCents: 5000 })
  })

  test('30 times at once with one key is one withdrawal, and the same answer 30 times', async () => {
    const tester = await paidTester(t, developer, admin, 50_000)
    const replies = await inParallel(30, () => withdraw(tester, 1000, 'one'))
    expect(tally(replies)).toEqual({ 201: 30 })
    expect(new Set(replies.map(reply => JSON.stringify(reply.body))).size).toBe(1)
    expect(await balanceOf(tester)).toMatchObject({ balanceCents: 49_000, onTheWayCents: 1000 })
    expect((await withdraw(tester, 1001, 'one')).status).toBe(422)
  })

  test('in many parts at once never takes more than the balance', async () => {
    const tester = await paidTester(t, developer, admin, 5500)
    expect(tally(await inParallel(10, () => withdraw(tester, 1000)))).toEqual({ 201: 5, 422: 5 })
    expect((await balanceOf(tester)).balanceCents).toBe(500)
  })

  test.each([999, 0, -1000, 1000.5, 2 ** 53, Number.MAX_VALUE, '1000', null, [1000], true])(
    'of %j is refused at the edge',
    async amount => {
      const tester = await anyTester()
      expect((await withdraw(tester, amount)).status).toBe(400)
      if ([999, 0, -1000].some(few => few === amount))
        expect((await withdraw(tester, amount)).body.message).toBe('Minimum withdrawal amount is $10')
    },
  )

  test('of more than the balance, up to the largest exact number, is refused', async () => {
    const tester = await anyTester()
    for (const amount of [1000, Number.MAX_SAFE_INTEGER]) {
      expect(await withdraw(tester, amount)).toMatchObject({ status: 422, body: { message: 'Insufficient balance' } })
    }
  })
})

let nobody: Person | undefined
const anyTester = async () => (nobody ??= await t.signUp('TESTER'))

describe('the payout', () => {
  test('is PENDING until the provider has paid, then COMPLETED, with one email for each', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { status, body } = await withdraw(tester, 1500)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { status: 'PENDING', destination: tester.user.email, balanceCents: 500 },
    })
    expect(await statementOf(tester)).toEqual([
      ['PAYOUT', 'PENDING', 1500],
      ['CREDIT', 'COMPLETED', 2000],
    ])
    await t.advance(1)
    await t.advance(100)
    expect(await statementOf(tester)).toEqual([
      ['PAYOUT', 'COMPLETED', 1500],
      ['CREDIT', 'COMPLETED', 2000],
    ])
    expect(await balanceOf(tester)).toMatchObject({ balanceCents: 500, onTheWayCents: 0 })
    expect(await emailsTo(tester)).toEqual(['Paid out: $15.00', 'Withdrawal requested: $15.00'])
  })

  test('that the provider declines is FAILED, the money is back as REFUNDED, and can be withdrawn again', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    await tester.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
    await t.advance(24)
    expect((await withdraw(tester, 2000)).body).toMatchObject({
      status: 'PENDING',
      destination: 'decline@example.test',
    })
    await t.advance(1)
    expect(await statementOf(tester)).toEqual([
      ['CREDIT', 'REFUNDED', 2000],
      ['PAYOUT', 'FAILED', 2000],
      ['CREDIT', 'COMPLETED', 2000],
    ])
    expect(await balanceOf(tester)).toMatchObject({ balanceCents: 2000, onTheWayCents: 0 })
    expect(await emailsTo(tester)).toEqual([
      'Withdrawal failed: $20.00',
      'Withdrawal requested: $20.00',
      'Your payment method was changed',
    ])
    await tester.call('PATCH', '/users/me', { paymentMethod: 'good@example.test', currentPassword: password })
    await t.advance(24)
    expect((await withdraw(tester, 2000)).status).toBe(201)
  })

  test('is paused for 24 hours after the payment method changed, to the millisecond', async () => {
    const tester = await paidTester(t, developer, admin, 9000)
    const changed = await tester.call<{ payoutsPausedUntil: string }>('PATCH', '/users/me', {
      paymentMethod: 'new@example.test',
      currentPassword: password,
    })
    for (const amount of [1000, 9001]) {
      expect(await withdraw(tester, amount)).toMatchObject({ status: 409, body: { code: 'PAYOUT_METHOD_PAUSED' } })
    }
    await t.advance(23.9)
    expect((await withdraw(tester, 1000)).status).toBe(409)
    // Setting the same method again does not count as a change.
    await tester.call('PATCH', '/users/me', { paymentMethod: 'new@example.test', currentPassword: password })
    clock.setOffsetMs(clock.offsetMs() + Date.parse(changed.body.payoutsPausedUntil) - clock.nowMs())
    expect((await withdraw(tester, 1000)).body).toMatchObject({ status: 'PENDING', destination: 'new@example.test' })
    expect((await emailsTo(tester)).filter(subject => subject.includes('Withdrawal'))).toEqual([])
    await t.advance(1)
    expect(await emailsTo(tester)).toEqual([
      'Paid out: $10.00',
      'Withdrawal requested: $10.00',
      'Your payment method was changed',
    ])
  })

  test('requested while the payment method changes goes to the old one or waits, and never to the new one', async () => {
    for (let round = 0; round < 6; round++) {
      const tester = await paidTester(t, developer, admin, 1000)
      const [{ status, body }] = await Promise.all([
        withdraw(tester, 1000),
        tester.call('PATCH', '/users/me', { paymentMethod: `thief${round}@example.test`, currentPassword: password }),
      ])
      expect([201, 409]).toContain(status)
      if (status === 201) expect(body.destination).toBe(tester.user.email)
    }
  })
})

test('the statement is read in pages, the newest first, with the total', async () => {
  const tester = await paidTester(t, developer, admin, 5000)
  for (const amount of [1000, 1001, 1002]) await withdraw(tester, amount)
  type Numbered = { data: Transaction[]; page: number; limit: number; total: number }
  const page = async (query: string) => (await tester.call<Numbered>('GET', `/users/me/transactions${query}`)).body
  expect(await page('')).toMatchObject({ page: 1, limit: 20, total: 4 })
  expect((await page('?page=2&limit=3')).data.map(line => line.amountCents)).toEqual([5000])
  expect((await page('?page=1&limit=3')).data.map(line => line.amountCents)).toEqual([1002, 1001, 1000])
  expect(await page('?page=9&limit=3')).toMatchObject({ data: [], page: 9, total: 4 })
})

test('the books balance', async () => {
  await t.advance(1)
  expect(await brokenChecks()).toEqual([])
})
