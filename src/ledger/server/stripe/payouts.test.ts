/** Payouts and refunds by Stripe: the real application and the real SDK, against a stateful fake of Stripe. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Needs } from '../../../dashboards/contract.ts'
import type { Operations } from '../../../operations/contract.ts'
import type { UserProfile } from '../../../people/contract.ts'
import type { Balance, PayoutAccount, Withdrawal } from '../../contract.ts'
import { password, type Person } from '../../../testing/app.ts'
import { runChecks } from '../../../testing/checks.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import type { StuckRefund } from '../../stuckRefundsContract.ts'
import { compareWithProvider } from '../books.ts'
import { compareMovements } from '../comparing.ts'
import { providerOf } from '../providers.ts'

let t: StripeApp
let developer: Person
let admin: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN')
})
afterAll(() => t.stop())
afterEach(async () => {
  expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])
})

const transfers = () => t.fake.all('transfer')
const withdraw = (tester: Person, amountCents: number) =>
  tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents })
const balance = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body
const withdrawals = (tester: Person) =>
  t.look<{ id: string; status: string; reason: string | null }>(
    'select id, status, failure_reason as reason from withdrawals where tester_id = $1 order by created_at',
    [tester.user.id],
  )
/** Payouts wait unless this is 0. */
const offCents = async () => (await compareWithProvider({ inFull: false })).offCents
const callsOf = (subjectId: string) =>
  t.look<{ key: string; status: string; attempt: number }>(
    'select key, status, attempt from provider_calls where subject_id = $1 order by attempt',
    [subjectId],
  )

describe('the payout account', () => {
  test('without one, or while something is missing, a withdrawal is refused with a sentence, and nothing is sent', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    await t.look('update payout_accounts set status = $1 where account_id = $2', ['INCOMPLETE', account])
    expect((await withdraw(tester, 2000)).body).toMatchObject({
      code: 'WRONG_STATE',
      message: /is missing some details/,
    })
    await t.look('delete from payout_accounts where account_id = $1', [account])
    const refused = await withdraw(tester, 2000)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ message: expect.stringContaining('Set up your payout account') })
    expect((await balance(tester)).balanceCents).toBe(5000)
    expect(t.fake.callsOf('POST /v1/transfers')).toEqual([])
  })

  test('shows what is missing, its country, and the minimum payout there', async () => {
    const tester = await t.signUp('TESTER')
    const look = async () => (await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body
    expect(await look()).toMatchObject({ needed: true, status: 'NONE', country: null })
    const { status, body } = await tester.call<{ url: string }>('POST', '/testers/payout-account/link', {
      country: 'AL',
    })
    expect(status).toBe(200)
    expect(body.url).toMatch(/^https:\/\/connect\.stripe\.com\//)
    expect(await look()).toMatchObject({
      status: 'INCOMPLETE',
      missing: ['Legal name', 'Date of birth', 'External account'],
      country: 'AL',
      minimum: '3000 ALL',
    })
    const [account] = t.fake.all('v2.core.account')
    expect(account).toMatchObject({
      dashboard: 'express',
      defaults: { responsibilities: { losses_collector: 'application', fees_collector: 'application' } },
    })
    t.fake.onboard(account!.id, 2)
    expect((await look()).missing).toEqual(['External account'])
    t.fake.onboard(account!.id)
    expect(await look()).toMatchObject({ status: 'READY', missing: [] })
    t.fake.rejectAccount(account!.id)
    await t.tell()
    expect((await look()).status).toBe('REJECTED')
  })

  test('is made once, even with two presses at once and a lost answer', async () => {
    const tester = await t.signUp('TESTER')
    const press = () => tester.call('POST', '/testers/payout-account/link', { country: 'DE' })
    const count = t.fake.all('v2.core.account').length
    t.fake.faults.ask('POST /v2/core/accounts', 'lose-answer', 2)
    expect((await press()).status).toBe(503)
    await Promise.all([press(), press()])
    expect((await press()).status).toBe(200)
    expect(t.fake.all('v2.core.account')).toHaveLength(count + 1)
    const told = `select from notifications where user_id = $1 and kind = 'PAYOUT_ACCOUNT_OPENED'`
    expect(await t.look(told, [tester.user.id])).toHaveLength(1)
  })
})

describe('a withdrawal', () => {
  test('is one transfer to the tester’s account, made when it is requested and not before', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    const before = transfers().length
    const { body } = await withdraw(tester, 3000)
    await t.settle()
    expect(transfers()).toHaveLength(before + 1)
    expect(transfers()[0]).toMatchObject({
      amount: 3000,
      destination: account,
      transfer_group: `withdrawal_${body.id}`,
    })
    expect(await withdrawals(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await balance(tester)).toMatchObject({ balanceCents: 2000, onTheWayCents: 0 })
  })

  test('names the tester’s account as its destination, and is refused below the minimum of its country', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    await t.look(`update payout_accounts set country = 'SV' where account_id = $1`, [account])
    expect(await withdraw(tester, 2999)).toMatchObject({
      status: 400,
      body: {
        fields: {
          amountCents: 'Stripe pays out at least $30 at a time to banks in El Salvador. Withdraw $30 or more.',
        },
      },
    })
    expect((await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body.minimumCents).toBe(3000)
    const { body } = await withdraw(tester, 3000)
    expect(body.destination).toBe('Stripe payout account, El Salvador')
    expect((await balance(tester)).recentTransactions[0]!.description).toBe(
      'Withdrawal to Stripe payout account, El Salvador',
    )
    await t.settle()
    expect(await withdrawals(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('that the tester’s bank would not take does not keep the account: the balance can be given up instead', async () => {
    const { tester, account } = await t.earner(developer, admin, 2999)
    const leave = (body: object = {}) => tester.call<{ message?: string }>('DELETE', '/users/me', { password, ...body })
    expect((await leave({ givesUpCents: 2999 })).body.message).toMatch(/Withdraw your balance\.$/)
    await t.look(`update payout_accounts set country = 'SV' where account_id = $1`, [account])
    expect((await leave()).body.message).toMatch(/Confirm that you give up \$29\.99/)
    expect((await leave({ givesUpCents: 2999 })).status).toBe(204)
  })

  test('whose answer is lost is sent under the same key, and is one transfer', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    const before = transfers().length
    t.fake.faults.ask('POST /v1/transfers', 'lose-answer', 2)
    const { body } = await withdraw(tester, 3000)
    await t.settle().catch(() => undefined)
    expect(await withdrawals(tester)).toMatchObject([{ status: 'PENDING' }])
    expect((await balance(tester)).onTheWayCents).toBe(3000)
    await t.advance(1)
    expect(await withdrawals(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(transfers()).toHaveLength(before + 1)
    const keys = t.fake
      .callsOf('POST /v1/transfers')
      .filter(({ params }) => params.transfer_group === `withdrawal_${body.id}`)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1)
  })

  test.each(['500', '500-done', '429', '409'] as const)('answered with %s releases nothing', async fault => {
    const { tester } = await t.earner(developer, admin, 5000)
    const before = transfers().length
    t.fake.faults.ask('POST /v1/transfers', fault)
    const { body } = await withdraw(tester, 3000)
    await t.settle().catch(() => undefined)
    expect(await withdrawals(tester)).toMatchObject([{ status: 'PENDING' }])
    expect(await balance(tester)).toMatchObject({ balanceCents: 2000, onTheWayCents: 3000 })
    // Stripe replays a 500 for a day. After that we look it up: what was made counts, what was not made is given back.
    await t.advance(1).catch(() => undefined)
    await t.advance(25)
    const expected = { '500': 'FAILED', '500-done': 'COMPLETED', '429': 'COMPLETED', '409': 'COMPLETED' }[fault]
    expect(await withdrawals(tester)).toMatchObject([{ status: expected }])
    expect(transfers()).toHaveLength(before + (fault === '500' ? 0 : 1))
    expect(await callsOf(body.id)).toHaveLength(1)
    expect((await balance(tester)).balanceCents).toBe(fault === '500' ? 5000 : 2000)
  })

  test('whose key is older than 23 hours is looked up, never sent again', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    t.fake.faults.ask('POST /v1/transfers', 'lose-answer', 2)
    const before = transfers().length
    await withdraw(tester, 3000)
    await t.settle().catch(() => undefined)
    const sent = t.fake.callsOf('POST /v1/transfers').length
    // Two days later Stripe has forgotten the key.
    await t.look(`update provider_calls set sent_at = sent_at - interval '2 days' where status = 'PENDING'`)
    await t.advance(1)
    expect(t.fake.callsOf('POST /v1/transfers')).toHaveLength(sent)
    expect(transfers()).toHaveLength(before + 1)
    expect(await withdrawals(tester)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('that Stripe refuses gives the money back and says why', async () => {
    const { tester, account } = await t.earner(developer, admin, 5000)
    t.fake.rejectAccount(account)
    await withdraw(tester, 3000)
    await t.settle()
    expect(await withdrawals(tester)).toMatchObject([
      { status: 'FAILED', reason: expect.stringContaining('not ready') },
    ])
    expect((await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body.status).toBe('REJECTED')
    expect((await withdraw(tester, 3000)).status).toBe(409)
    expect((await balance(tester)).balanceCents).toBe(5000)
  })

  test('that comes back days later is in the balance again, reported once or twice', async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    await withdraw(tester, 3000)
    await t.settle()
    const { id } = transfers()[0]!
    await t.advance(48)
    t.fake.reverseTransfer(id)
    await t.tell()
    expect(await offCents()).toBe(0)
    expect((await balance(tester)).balanceCents).toBe(5000)
    expect(await withdrawals(tester)).toMatchObject([{ status: 'FAILED' }])
    await t.look(`update provider_events set processed_at = null where type = 'transfer.reversed'`)
    await t.advance(0.1)
    expect((await balance(tester)).balanceCents).toBe(5000)
  })
})

describe('while our money at Stripe is not available yet', () => {
  test('a withdrawal is retried under a new key each time, and is paid once the money is available', async () => {
    const late = await startStripeAppOf(9)
    const { tester } = await late.earner()
    const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 3000 })
    await late.t.settle()
    await late.t.advance(2)
    const pending = await late.t.look<{ status: string }>('select status from withdrawals')
    expect(pending).toEqual([{ status: 'PENDING' }])
    expect((await tester.call<Balance>('GET', '/testers/balance')).body).toMatchObject({
      balanceCents: 2000,
      onTheWayCents: 3000,
    })
    await late.t.advance(9 * 24)
    expect(await late.t.look('select status from withdrawals')).toEqual([{ status: 'COMPLETED' }])
    const calls = await late.t.look<{ key: string; status: string }>(
      'select key, status from provider_calls where subject_id = $1 order by attempt',
      [body.id],
    )
    expect(calls.length).toBeGreaterThan(1)
    expect(new Set(calls.map(({ key }) => key)).size).toBe(calls.length)
    expect(calls.filter(({ status }) => status === 'DONE')).toHaveLength(1)
    expect(late.t.fake.all('transfer')).toHaveLength(1)
    expect(await runChecks(async query => ({ rows: await late.t.look(query) }))).toEqual([])
  })

  test('a ban freezes a withdrawal that Stripe has refused for now, until it is lifted', async () => {
    const late = await startStripeAppOf(9)
    const { tester } = await late.earner()
    const statuses = () => late.t.look('select status from withdrawals')
    await tester.call('POST', '/testers/withdraw', { amountCents: 3000 })
    await late.t.settle()
    const said = { reason: 'Copied proofs' }
    const { body } = await admin.call<UserProfile>('POST', `/admin/users/${tester.user.id}/ban`, said)
    expect(body.payoutsPending).toMatchObject({ waitingCents: 3000, withProviderCents: 0 })
    await late.t.advance(10 * 24)
    expect(await statuses()).toEqual([{ status: 'PENDING' }])
    expect(late.t.fake.all('transfer')).toEqual([])
    await admin.call('POST', `/admin/users/${tester.user.id}/unban`, said)
    await late.t.settle()
    expect(await statuses()).toEqual([{ status: 'COMPLETED' }])
  })

  test('a payout account can be removed, and the withdrawal that Stripe has refused for now is back', async () => {
    const late = await startStripeAppOf(9)
    const { tester } = await late.earner()
    await tester.call('POST', '/testers/withdraw', { amountCents: 3000 })
    await late.t.settle()
    expect(await withdrawals(tester)).toMatchObject([{ status: 'PENDING' }])
    const { id } = (await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body
    expect((await tester.call('DELETE', `/testers/payout-account?account=${id}`)).status).toBe(200)
    expect(await withdrawals(tester)).toMatchObject([{ status: 'FAILED' }])
    expect((await balance(tester)).balanceCents).toBe(5000)
    await late.t.advance(10 * 24)
    expect(late.t.fake.all('transfer')).toEqual([])
  })

  const others: StripeApp[] = []
  afterAll(async () => {
    for (const other of others) await other.stop()
  })
  /** A database belongs to one application at a time, so this file's own application leaves first. */
  const startStripeAppOf = async (pendingDays: number) => {
    await t.stop()
    t = await startStripeApp({ pendingDays })
    const [dev, boss] = [await t.signUp('DEVELOPER'), await t.signUp('ADMIN')]
    developer = dev
    admin = boss
    return { t, earner: () => t.earner(dev, boss, 5000) }
  }

  test('a refused refund is sent again under a new key', async () => {
    const { campaign } = await t.paid(developer, { testersRequired: 1, payPerTesterCents: 9000, durationDays: 1 })
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.settle()
    const parts = await t.look<{ id: string; status: string }>(
      `select part.id, part.status from refund_parts part join payments p on p.id = part.payment_id where p.campaign_id = $1`,
      [campaign.id],
    )
    expect(parts).toMatchObject([{ status: 'PENDING' }])
    await t.advance(24 * 9 + 7)
    const calls = await callsOf(parts[0]!.id)
    expect(calls.at(-1)?.status).toBe('DONE')
    expect(calls.slice(0, -1).every(({ status }) => status === 'REFUSED')).toBe(true)
    expect(calls.length).toBeGreaterThan(1)
    expect(t.fake.all('refund')).toHaveLength(1)
  })

  test('a refund that comes back after it was paid waits again, and is paid under another key, however often it is reported', async () => {
    const [{ amount, id, metadata }] = t.fake.all('refund') as unknown as [
      { id: string; amount: number; metadata: { part: string } },
    ]
    const { part } = metadata
    const states = () =>
      t.look<{ part: string; refund: string; line: string }>(
        `select p.status as part, r.status as refund, l.status as line from refund_parts p join refunds r on r.id = p.refund_id
          join transactions l on l.source_id = r.id where p.id = $1`,
        [part],
      )
    const booked = (like: string) =>
      t.look<{ cents: number }>('select amount_cents::int as cents from transfers where business_key like $1', [like])
    const again = async () => {
      await t.look(`update provider_events set processed_at = null where type like 'refund.%'`)
      await t.advance(0.1)
    }
    t.fake.failRefund(id)
    await t.tell()
    await again()
    expect(await states()).toEqual([{ part: 'PENDING', refund: 'PENDING', line: 'PENDING' }])
    expect(await booked('refund-returned:%')).toEqual([{ cents: amount }])
    expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])

    const attempts = (await callsOf(part)).length
    await t.advance(4)
    expect(await callsOf(part)).toHaveLength(attempts)
    await t.advance(3)
    expect(await states()).toEqual([{ part: 'COMPLETED', refund: 'COMPLETED', line: 'COMPLETED' }])
    const [second] = t.fake.all('refund')
    expect(second).toMatchObject({ amount, status: 'succeeded', metadata: { part, call: `${part}:${attempts + 1}` } })
    // News about the first refund does not affect the second.
    await t.tell()
    await again()
    expect(await states()).toEqual([{ part: 'COMPLETED', refund: 'COMPLETED', line: 'COMPLETED' }])

    t.fake.failRefund(second!.id)
    await t.tell()
    expect(await booked('refund-returned:%')).toEqual([{ cents: amount }, { cents: amount }])
    await t.advance(7)
    expect(await states()).toEqual([{ part: 'COMPLETED', refund: 'COMPLETED', line: 'COMPLETED' }])
    expect(await booked(`refund-out:${part}%`)).toHaveLength(3)
    expect(t.fake.all('refund').filter(({ status }) => status === 'succeeded')).toHaveLength(1)
  })

  test('a refund that the card refuses is no longer sent after twenty refusals, and waits for an admin', async () => {
    const { campaign } = await t.paid(developer)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.advance(24 * 9 + 7)
    const [{ part }] = (await t.look<{ part: string }>(
      `select part.id as part from refund_parts part join payments p on p.id = part.payment_id where p.campaign_id = $1`,
      [campaign.id],
    )) as [{ part: string }]
    const newest = () => t.fake.all('refund').find(({ metadata }) => (metadata as { part: string }).part === part)!.id
    const { attempt } = (await callsOf(part)).at(-1)!
    // Adds eighteen earlier refusals.
    await t.look(
      `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, created_at, settled_at)
        select gen_random_uuid(), 'stripe', 'REFUND', $1::uuid, $2::int + n, $1::uuid || ':gone:' || n, 'REFUSED', 'Gone.', now(), now()
        from generate_series(1, 18) n`,
      [part, attempt],
    )
    const stuck = async () =>
      (await admin.call<Operations>('GET', '/admin/operations')).body.money.find(({ kind }) => kind === 'REFUNDS_STUCK')
    t.fake.failRefund(newest())
    await t.tell()
    expect(await stuck()).toMatchObject({ count: 0 })
    await t.advance(7)
    t.fake.failRefund(newest())
    await t.tell()
    expect(await stuck()).toMatchObject({ count: 1, amountCents: campaign.totalCostCents })
    const { needs } = (await admin.call<Needs>('GET', '/dashboard/needs')).body
    expect(needs.filter(({ kind }) => kind === 'REFUNDS_STUCK')).toMatchObject([{ count: 1 }])
    await t.advance(48)
    expect((await callsOf(part)).at(-1)).toMatchObject({ attempt: attempt + 19, status: 'REFUSED' })
    const act = (action: string, body?: object) =>
      admin.call<StuckRefund>('POST', `/admin/stuck-refunds/${part}/${action}`, body)
    expect((await act('retry')).body).toMatchObject({ state: 'TRYING', attempts: attempt + 19 })
    await t.advance(1)
    expect((await callsOf(part)).at(-1)).toMatchObject({ attempt: attempt + 20, status: 'DONE' })
    expect(await stuck()).toMatchObject({ count: 0 })

    // After one more refusal we stop retrying at once, and an admin pays by other means. Then Stripe reports that it has paid after
    // all.
    t.fake.failRefund(newest())
    await t.tell()
    expect(await stuck()).toMatchObject({ count: 1 })
    await t.advance(48)
    expect(await callsOf(part)).toHaveLength(attempt + 20)
    const transfer = { amountCents: campaign.totalCostCents, reference: 'SEPA 2026-11-23 0815' }
    expect((await act('pay', transfer)).status).toBe(200)
    expect([await stuck(), await offCents()]).toMatchObject([{ count: 0 }, 0])
    const late = newest()
    t.fake.payFailedRefund(late)
    await t.tell()
    const shown = async () => (await admin.call<StuckRefund[]>('GET', '/admin/stuck-refunds')).body
    expect(await shown()).toMatchObject([{ id: part, state: 'PAID_TWICE', actions: ['settle'] }])
    expect(await offCents()).toBe(0)
    const stripe = providerOf('stripe') as Parameters<typeof compareMovements>[0]
    const differing = async () => (await compareMovements(stripe)).filter(({ id }) => id === part)
    expect(await differing()).toEqual([])
    t.fake.failRefund(late)
    await t.tell()
    expect([await shown(), await offCents(), await differing()]).toEqual([[], 0, []])
  })

  test('the balance is what Stripe holds, available or not', async () => {
    expect(await providerOf('stripe').balanceCents()).toBe(t.fake.availableCents() + t.fake.pendingCents())
    expect(await offCents()).toBe(0)
  })
})
