/** Payout accounts that testers remove, and take anew: money goes to the one they have, a day after it was set up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PersonalData } from '../../../accounts/contract.ts'
import type { Person } from '../../../testing/app.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import type { PayoutAccount, Withdrawal } from '../../contract.ts'

let t: StripeApp
let developer: Person
let admin: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN')
})
afterAll(() => t.stop())

const withdraw = (tester: Person, amountCents: number) =>
  tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents })
const open = (tester: Person, country: string) => tester.call('POST', '/testers/payout-account/link', { country })
const look = async (tester: Person) => (await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body
const remove = (tester: Person) => tester.call<PayoutAccount>('DELETE', '/testers/payout-account')
const newest = () => t.fake.all('v2.core.account')[0]!.id

describe('a payout account that the tester gives up', () => {
  test('makes room for another one, also in the same country within a day, to which alone money goes from then on', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    expect((await remove(tester)).body).toMatchObject({ needed: true, status: 'NONE', country: null })
    expect((await remove(tester)).status).toBe(200)
    expect(await withdraw(tester, 2000)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    await open(tester, 'DE')
    const second = newest()
    expect(second).not.toBe(account)
    t.fake.onboard(second)
    expect(await look(tester)).toMatchObject({ status: 'READY' })
    await remove(tester)
    await open(tester, 'FR')
    const third = newest()
    t.fake.onboard(third)
    expect(await look(tester)).toMatchObject({ status: 'READY', country: 'FR' })
    expect((await withdraw(tester, 2000)).body).toMatchObject({ code: 'PAYOUT_METHOD_PAUSED' })
    await t.advance(24)
    await withdraw(tester, 2000)
    await t.settle()
    expect(t.fake.all('transfer').slice(0, 1)).toMatchObject([{ amount: 2000, destination: third }])
    const told = await t.look<{ kind: string }>(
      `select kind from notifications where user_id = $1 and kind like 'PAYOUT_ACCOUNT%' order by id`,
      [tester.user.id],
    )
    const { payoutAccounts } = (await tester.call<PersonalData>('GET', '/users/me/export')).body
    expect(payoutAccounts.map(({ account_id: id }) => id)).toEqual([third, second, account])
    expect(told.map(({ kind }) => kind.slice(15))).toEqual(['OPENED', 'REMOVED', 'OPENED', 'REMOVED', 'OPENED'])
  })

  test('stays while a withdrawal is on its way to it', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    const { body } = await withdraw(tester, 2000)
    expect(await remove(tester)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    await t.settle()
    expect(await t.look('select status from withdrawals where id = $1', [body.id])).toEqual([{ status: 'COMPLETED' }])
    expect((await remove(tester)).status).toBe(200)
  })

  test('and a withdrawal at the same moment: one of the two is refused', async () => {
    for (let i = 0; i < 5; i++) {
      const { tester } = await t.earner(developer, admin, 5000)
      const [withdrawn, removed] = await Promise.all([withdraw(tester, 2000), remove(tester)])
      expect([withdrawn.status, removed.status].toSorted((a, b) => a - b)).toEqual(
        withdrawn.status === 201 ? [201, 409] : [200, 409],
      )
      await t.settle()
    }
  })
})

describe('a payout account that was just set up', () => {
  test('can be withdrawn to a day later, and a change at Stripe begins no new day', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    await remove(tester)
    await open(tester, 'DE')
    t.fake.onboard(newest())
    await look(tester)
    const early = await withdraw(tester, 2000)
    expect(early).toMatchObject({ status: 409, body: { code: 'PAYOUT_METHOD_PAUSED' } })
    expect(early.body).toMatchObject({
      message: expect.stringContaining('Your payout account was set up less than 24 hours ago'),
    })
    await t.advance(23)
    await open(tester, 'DE')
    expect((await withdraw(tester, 2000)).status).toBe(409)
    await t.advance(1)
    expect((await withdraw(tester, 2000)).status).toBe(201)
    expect(account).not.toBe(newest())
  })
})
