/** Testers remove payout accounts and open new ones: money goes to the present one, a day after it was set up. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PersonalData } from '../../../accounts/contract.ts'
import { countryCodes } from '../../../kit/countries.ts'
import type { Notification } from '../../../notifications/contract.ts'
import { password, type Person } from '../../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../../testing/observed.ts'
import { overtaken } from '../../../testing/races.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import type { Balance, PayoutAccount, PayoutApproval, Withdrawal } from '../../contract.ts'
import { payoutAccountLimits } from '../../rules.ts'
import { payOut } from '../payouts.ts'

let t: StripeApp
let developer: Person
let admin: Person
let other: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN', { name: 'Ann' })
  other = await t.signUp('ADMIN', { name: 'Bob' })
})
afterAll(() => t.stop())
afterEach(async () => {
  expect(await brokenChecks()).toEqual([])
})

const withdraw = (tester: Person, amountCents: number) =>
  tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents })
const open = (tester: Person, country: string) => tester.call('POST', '/testers/payout-account/link', { country })
const look = async (tester: Person) => (await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body
const removeThe = (tester: Person, account: string) =>
  tester.call<PayoutAccount>('DELETE', `/testers/payout-account?account=${account}`)
const remove = async (tester: Person) => {
  const [row] = await t.look<{ id: string }>('select account_id as id from payout_accounts where user_id = $1', [
    tester.user.id,
  ])
  return removeThe(tester, row!.id)
}
const newest = () => t.fake.all('v2.core.account')[0]!.id
const balance = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body
const statusOf = async (id: string) =>
  (await t.look<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]!.status
const transfersOf = (id: string) =>
  t.fake.all('transfer').filter(({ transfer_group: group }) => group === `withdrawal_${id}`)
const decide = (by: Person, id: string, action: 'release' | 'confirm' | 'refuse') =>
  by.call<PayoutApproval & { message?: string }>(
    'POST',
    `/admin/payouts/${id}/${action}`,
    action === 'refuse' ? { reason: 'Stolen.' } : undefined,
  )
/** A withdrawal of 2000 that waits for two admins. */
const waiting = async () => {
  const { tester } = await t.earner(developer, admin, 5000)
  await t.look('update settings set payout_approval_cents = 1500')
  const { id } = (await withdraw(tester, 2000)).body
  await t.look('update settings set payout_approval_cents = null')
  await t.settle()
  return { tester, id }
}
/** Nothing was sent, and the whole amount is in the balance. */
const isBack = async (tester: Person, id: string) => {
  expect(await statusOf(id)).toBe('FAILED')
  expect(await balance(tester)).toMatchObject({ balanceCents: 5000, onTheWayCents: 0 })
  expect(transfersOf(id)).toEqual([])
}

describe('a payout account that the tester removes', () => {
  test('makes room for another one, even in the same country within a day, and from then on money goes only there', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    expect((await remove(tester)).body).toMatchObject({ needed: true, status: 'NONE', country: null })
    expect((await removeThe(tester, account)).status).toBe(200)
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

  test('stays while a withdrawal may have been sent to Stripe', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    const { id } = (await withdraw(tester, 2000)).body
    t.fake.faults.ask('POST /v1/transfers', 'lose-answer', 2)
    await t.settle().catch(() => undefined)
    expect(await remove(tester)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(await statusOf(id)).toBe('PENDING')
    await t.advance(1)
    expect(await statusOf(id)).toBe('COMPLETED')
    expect((await remove(tester)).status).toBe(200)
  })

  test('stays while the original of a restored copy may have asked for a withdrawal', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    const { id } = (await withdraw(tester, 2000)).body
    await t.look(
      `insert into job_pauses (id, reason, note, paused_at, resumed_at)
        select gen_random_uuid(), 'RESTORED', 'Restored', created_at, created_at from withdrawals where id = $1`,
      [id],
    )
    expect((await remove(tester)).status).toBe(409)
    expect(await statusOf(id)).toBe('PENDING')
    await t.settle()
  })

  test('is removed while a withdrawal waits for two admins: the money is back, and nobody can release it', async () => {
    const { tester, id } = await waiting()
    await decide(admin, id, 'release')
    expect((await remove(tester)).body).toMatchObject({ status: 'NONE' })
    await isBack(tester, id)
    expect((await admin.call<PayoutApproval[]>('GET', '/admin/payouts')).body).toEqual([])
    for (const action of ['release', 'confirm', 'refuse'] as const)
      expect(await decide(other, id, action)).toMatchObject({
        status: 409,
        body: { message: 'This payout no longer needs approval: it was paid, or went back to the tester’s balance.' },
      })
    const told = (await tester.call<Notification[]>('GET', '/users/me/notifications?limit=2')).body
    expect(told.map(({ subject }) => subject).toSorted()).toEqual([
      'Withdrawal failed: $20.00',
      'Your payout account was removed',
    ])
    expect(told.find(({ subject }) => subject.startsWith('Withdrawal'))!.text).toBe(
      'Your withdrawal of $20.00 failed: The payout account that it was going to was removed.\n\nThe money is back in your balance.',
    )
    await t.advance(25)
    await isBack(tester, id)
  })

  test('is removed while payouts are stopped, even after two admins have agreed, and everything that waits is back', async () => {
    const { tester, id } = await waiting()
    await t.look(`insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
      values (gen_random_uuid(), 'a', now(), 1, '{}', '[]')`)
    await decide(admin, id, 'release')
    await decide(other, id, 'confirm')
    await t.settle()
    expect(await statusOf(id)).toBe('PENDING')
    expect((await remove(tester)).status).toBe(200)
    await isBack(tester, id)
    await t.look('delete from money_breaches')
    await t.advance(1)
    await isBack(tester, id)
    expect(await t.look('select outcome from payout_approvals where withdrawal_id = $1', [id])).toEqual([
      { outcome: 'CONFIRMED' },
    ])
  })

  test('and an admin’s decision at the same moment: whichever comes first, nothing is paid to it', async () => {
    for (const action of ['confirm', 'refuse', 'confirm', 'refuse'] as const) {
      const { tester, id } = await waiting()
      await decide(admin, id, 'release')
      const [decided, removed] = await Promise.all([decide(other, id, action), remove(tester)])
      expect([200, 409]).toContain(decided.status)
      expect(removed.status).toBe(200)
      await t.settle()
      await isBack(tester, id)
    }
  })

  test('just before the job of a withdrawal makes the job wait and pay nothing', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    const { id: withdrawalId } = (await withdraw(tester, 2000)).body
    const wallet = `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`
    const [removed] = await overtaken(
      t,
      { rows: wallet, values: [tester.user.id] },
      () => remove(tester),
      () => payOut.run({ withdrawalId }),
    )
    expect(removed.status).toBe(200)
    await isBack(tester, withdrawalId)
  })

  test('just after the job of a withdrawal stays until that is paid', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    const { id: withdrawalId } = (await withdraw(tester, 2000)).body
    const cash = `select from accounts where kind = 'PROVIDER_CASH'`
    const [, removed] = await overtaken(
      t,
      { rows: cash, values: [] },
      () => payOut.run({ withdrawalId }),
      () => remove(tester),
    )
    expect(removed.status).toBe(200)
    expect(await statusOf(withdrawalId)).toBe('COMPLETED')
    expect(transfersOf(withdrawalId)).toHaveLength(1)
  })

  test('and a withdrawal at the same moment: it is refused, or its money is back', async () => {
    for (let i = 0; i < 5; i++) {
      const { tester } = await t.earner(developer, admin, 5000)
      const { id: account } = await look(tester)
      const [withdrawn, removed] = await Promise.all([withdraw(tester, 2000), removeThe(tester, account!)])
      expect([201, 409]).toContain(withdrawn.status)
      expect(removed.status).toBe(200)
      await t.settle()
      if (withdrawn.status === 201) await isBack(tester, withdrawn.body.id)
      else expect(await balance(tester)).toMatchObject({ balanceCents: 5000 })
    }
  })
})

describe('a payout account in several tabs', () => {
  test('removing the account that was shown leaves one that was set up since', async () => {
    const tester = await t.signUp('TESTER')
    await open(tester, 'DE')
    const { id: seen } = await look(tester)
    await removeThe(tester, seen!)
    await open(tester, 'FR')
    const { id: later } = await look(tester)
    expect(await removeThe(tester, seen!)).toMatchObject({ status: 200, body: { id: later, country: 'FR' } })
    expect(await look(tester)).toMatchObject({ id: later })
    expect((await tester.call('DELETE', '/testers/payout-account')).status).toBe(400)
  })

  test('opening and removing it update the other tabs', async () => {
    const tester = await t.signUp('TESTER')
    const told = async () =>
      (await t.look(`select from user_events where user_id = $1 and topic = 'MONEY'`, [tester.user.id])).length
    await open(tester, 'DE')
    expect(await told()).toBe(1)
    await remove(tester)
    expect(await told()).toBe(2)
  })
})

describe('the number of payout accounts', () => {
  test(`of which ${payoutAccountLimits.removed} were removed within ${payoutAccountLimits.days} days is bounded, and Stripe is not asked`, async () => {
    const tester = await t.signUp('TESTER')
    for (let i = 0; i < payoutAccountLimits.removed; i++) {
      expect((await open(tester, 'DE')).status).toBe(200)
      expect((await remove(tester)).status).toBe(200)
    }
    const made = t.fake.all('v2.core.account').length
    const { status, body } = await open(tester, 'DE')
    expect([status, body]).toMatchObject([
      429,
      {
        message:
          'You have removed 3 payout accounts in the last 30 days. You can set up another one in 30 days. Your balance is safe.',
      },
    ])
    expect(t.fake.all('v2.core.account')).toHaveLength(made)
    await t.look(`update removed_payout_accounts set removed_at = removed_at - interval '30 days' where user_id = $1`, [
      tester.user.id,
    ])
    expect((await open(tester, 'DE')).status).toBe(200)
    expect((await remove(tester)).status).toBe(200)
  })

  test(`that are tried at once is at most ${payoutAccountLimits.attemptsPerHour} an hour, whatever their countries`, async () => {
    const tester = await t.signUp('TESTER')
    const { attemptsPerHour } = payoutAccountLimits
    const hold = t.fake.faults.hold('POST /v2/core/accounts')
    let refused = 0
    const opening = inParallel(attemptsPerHour + 3, async index => {
      const reply = await open(tester, countryCodes[index]!)
      if (reply.status === 429) refused++
      return reply
    })
    await expect.poll(hold.held, { timeout: 20_000 }).toBe(attemptsPerHour)
    // Requests that come once the account exists get that account, and do not use up an attempt.
    await expect.poll(() => refused, { timeout: 20_000 }).toBe(3)
    hold.release()
    expect(tally(await opening)).toEqual({ 200: attemptsPerHour, 429: 3 })
  })
})

describe('deleting one’s account', () => {
  const leave = (who: Person) => who.call('DELETE', '/users/me', { password })

  test('while Stripe opens a payout account leaves neither an account nor a notification behind', async () => {
    const tester = await t.signUp('TESTER')
    const hold = t.fake.faults.hold('POST /v2/core/accounts')
    const opening = open(tester, 'DE')
    await expect.poll(hold.held).toBe(1)
    expect((await leave(tester)).status).toBe(204)
    hold.release()
    expect((await opening).status).toBe(401)
    expect(await t.look('select from payout_accounts where user_id = $1', [tester.user.id])).toEqual([])
    expect(await t.look('select from notifications where user_id = $1', [tester.user.id])).toEqual([])
  })
})

describe('a payout account that was just set up', () => {
  test('can receive withdrawals a day later, and a change at Stripe starts no new wait', async () => {
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
