/** Money moves while an account ends: one comes before the other, and no money is left behind. */
import { afterAll, describe, expect, test } from 'vitest'
import { draftOf, paidTester, password, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import { brokenChecks } from '../../testing/observed.ts'
import type { UserProfile } from '../../people/contract.ts'
import type { Withdrawal } from '../contract.ts'
import { payOut } from './payouts.ts'
import { sandbox } from './sandbox.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterAll(async () => expect(await brokenChecks()).toEqual([]))

const leave = (who: Person) => who.call('DELETE', '/users/me', { password })
const ban = (who: Person) => admin.call<UserProfile>('POST', `/admin/users/${who.user.id}/ban`, { reason: 'Spam' })
const unban = (who: Person) => admin.call('POST', `/admin/users/${who.user.id}/unban`, { reason: 'Mistake' })
const fund = (who: Person, id: string) => who.call('POST', `/campaigns/${id}/fund`, { amountCents: 3450 })
const withdraw = (who: Person) => who.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 2000 })

const campaign = (id: string) => ({ rows: 'select from campaigns where id = $1', values: [id] })
const wallet = ({ user }: Person) => ({
  rows: `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`,
  values: [user.id],
})
/** The last rows that deleting or suspending an account writes. */
const sessions = ({ user }: Person) => ({ rows: 'select from sessions where user_id = $1', values: [user.id] })
const paymentsOf = ({ user }: Person) => t.look('select status from payments where developer_id = $1', [user.id])
const withdrawalsOf = ({ user }: Person) =>
  t.look<{ id: string; status: string }>('select id, status from withdrawals where tester_id = $1', [user.id])

describe('deleting the account', () => {
  test('while a campaign is being funded waits, and is then refused', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await draftOf(owner)
    const [funded, left] = await overtaken(
      t,
      campaign(id),
      () => fund(owner, id),
      () => leave(owner),
    )
    expect([funded.status, left.status]).toEqual([200, 409])
    expect(await paymentsOf(owner)).toEqual([{ status: 'COMPLETED' }])
  })

  test('before a campaign is funded leaves no payment: the session has ended', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await draftOf(owner)
    const [left, funded] = await overtaken(
      t,
      sessions(owner),
      () => leave(owner),
      () => fund(owner, id),
    )
    expect([left.status, funded.status]).toEqual([204, 401])
    expect(await paymentsOf(owner)).toEqual([])
  })

  test('before a payment is declined leaves no payment method behind', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await draftOf(owner)
    await owner.call('PATCH', '/users/me', {
      paymentMethod: 'decline+gone@example.test',
      currentPassword: password,
    })
    const [left, funded] = await overtaken(
      t,
      sessions(owner),
      () => leave(owner),
      () => fund(owner, id),
    )
    expect([left.status, funded.status]).toEqual([204, 401])
    expect(await paymentsOf(owner)).toEqual([])
  })

  test('before a change of the profile keeps the profile erased', async () => {
    const owner = await t.signUp('DEVELOPER')
    const fields = { name: 'Back again', paymentMethod: 'back@example.test', currentPassword: password }
    const change = () => owner.call('PATCH', '/users/me', fields)
    const [left, changed] = await overtaken(t, sessions(owner), () => leave(owner), change)
    expect([left.status, changed.status]).toEqual([204, 401])
    expect(await t.look('select name, payment_method from users where id = $1', [owner.user.id])).toEqual([
      { name: 'Deleted user', payment_method: null },
    ])
  })

  test('while the balance is being withdrawn waits, and is then refused', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const [asked, left] = await overtaken(
      t,
      wallet(tester),
      () => withdraw(tester),
      () => leave(tester),
    )
    expect([asked.status, left.status]).toEqual([201, 409])
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'PENDING' }])
  })
})

describe('suspending the account', () => {
  test('before a campaign is funded leaves no payment', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await draftOf(owner)
    const [banned, funded] = await overtaken(
      t,
      sessions(owner),
      () => ban(owner),
      () => fund(owner, id),
    )
    expect([banned.status, funded.status]).toEqual([200, 403])
    expect(await paymentsOf(owner)).toEqual([])
  })

  test('before the payout is claimed freezes it, and the profile says so', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { id: withdrawalId } = (await withdraw(tester)).body
    const [banned] = await overtaken(
      t,
      sessions(tester),
      () => ban(tester),
      () => payOut.run({ withdrawalId }),
    )
    expect(banned.body.payoutsPending).toEqual({ waitingCents: 2000, withProviderCents: 0 })
    expect(await t.look('select from sandbox_movements where request_id = $1', [withdrawalId])).toEqual([])
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'PENDING' }])
    await unban(tester)
    await t.advance(1)
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('after the payout was claimed does not stop it, and the profile says so', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { id: withdrawalId } = (await withdraw(tester)).body
    // The job has claimed it and asked the provider, but cannot record the answer yet.
    const cash = { rows: `select from accounts where kind = 'PROVIDER_CASH'`, values: [] }
    const [, banned] = await overtaken(
      t,
      cash,
      () => payOut.run({ withdrawalId }),
      () => ban(tester),
    )
    expect(banned.body.payoutsPending).toEqual({ waitingCents: 0, withProviderCents: 2000 })
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('does not keep the job that died after its claim from recording what was paid', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { id: withdrawalId } = (await withdraw(tester)).body
    await t.look('update withdrawals set claimed_at = now() where id = $1', [withdrawalId])
    await ban(tester)
    await t.advance(1)
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('does not keep the daily sweep from recording what was paid, when the job of the claim is lost', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { id: withdrawalId } = (await withdraw(tester)).body
    await t.look('update withdrawals set claimed_at = now() where id = $1', [withdrawalId])
    await t.look('delete from pgboss.job where data::text like $1', [`%${withdrawalId}%`])
    await ban(tester)
    await t.advance(24)
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('between two attempts of the provider freezes the payout', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { id: withdrawalId } = (await withdraw(tester)).body
    const { payOut: pays } = sandbox
    sandbox.payOut = () => Promise.resolve({ outcome: 'LATER', reason: 'Not enough there yet.' })
    await payOut.run({ withdrawalId }).finally(() => {
      sandbox.payOut = pays
    })
    expect((await ban(tester)).body.payoutsPending).toEqual({ waitingCents: 2000, withProviderCents: 0 })
    await t.advance(2)
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'PENDING' }])
    await unban(tester)
    await t.advance(1)
    expect(await withdrawalsOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })
})

test('request_withdrawal itself refuses a deleted or suspended tester', async () => {
  const [gone, banned] = [await t.signUp('DEVELOPER'), await t.signUp('DEVELOPER')]
  await leave(gone)
  await ban(banned)
  const call = `select request_withdrawal(gen_random_uuid(), $1, 1000, interval '24 hours', now()) as outcome`
  const outcomes = await Promise.all([gone, banned].map(({ user }) => t.look(call, [user.id])))
  expect(outcomes.flat()).toEqual([{ outcome: 'NOT_FOUND' }, { outcome: 'SUSPENDED' }])
})
