/** Money on its way out survives the death of a process at any step: it is paid, recorded and announced exactly once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { liveCampaign, paidTester, type Person, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { inParallel, brokenChecks, emailsOf, tally } from '../../testing/observed.ts'
import type { Balance, Withdrawal } from '../contract.ts'
import { payRefund, payRefundPart } from './calls.ts'
import { sendCall } from './calls.queries.ts'
import { claimWithdrawal } from './payouts.queries.ts'
import { payOut } from './payouts.ts'
import type { Answer } from './provider.ts'
import { sandbox } from './sandbox.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
beforeAll(async () => {
  crashes = await prepareCrashes(t)
})
afterAll(() => crashes.stop())

const count = async (query: string, values: unknown[]) =>
  (await t.look<{ n: number }>(`select count(*)::int as n from ${query}`, values))[0]!.n
const withdraw = (tester: Person, key: string) =>
  tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1500 }, key)
const withdrawalOf = ({ user }: Person) =>
  t.look<{ id: string; status: string; destination: string }>(
    'select id, status, destination from withdrawals where tester_id = $1',
    [user.id],
  )
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const jobsFor = (text: string) => count('pgboss.job where data::text like $1', [`%${text}%`])
/** What a person is notified of, each with the job that mails it. */
const told = async ({ user }: Person) => ({
  notifications: await count('notifications where user_id = $1', [user.id]),
  jobs: await count(
    `notifications n join pgboss.job j on j.data->>'notificationId' = n.id::text where n.user_id = $1`,
    [user.id],
  ),
})
const emailsTo = async ({ user }: Person) =>
  (await emailsOf(t))
    .filter(email => email.startsWith(user.email) && /Withdrawal|Paid/.test(email))
    .map(email => email.split(': ')[1])

describe('a withdrawal', () => {
  test('whose connection dies leaves no request, no job and no email; the retry leaves one of each', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    expect(await told(tester)).toEqual({ notifications: 1, jobs: 1 })
    const wallet = `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`
    const died = await crashes.crashAt(wallet, [tester.user.id], () => withdraw(tester, 'retried'))
    expect(died.status).toBe(503)
    expect(await withdrawalOf(tester)).toEqual([])
    expect(await told(tester)).toEqual({ notifications: 1, jobs: 1 })
    expect(await balanceOf(tester)).toBe(2000)

    expect(tally(await inParallel(3, () => withdraw(tester, 'retried')))).toEqual({ 201: 3 })
    const id = (await withdrawalOf(tester))[0]!.id
    expect(await jobsFor(id)).toBe(1)
    expect(await told(tester)).toEqual({ notifications: 2, jobs: 2 })
    await t.advance(1)
    expect(await emailsTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
    expect(await balanceOf(tester)).toBe(500)
  })

  test('that is refused leaves no job and no email either', async () => {
    const tester = await paidTester(t, developer, admin, 1000)
    const payouts = await count(`pgboss.job where name = 'ledger.pay-out'`, [])
    expect((await withdraw(tester, 'too-much')).status).toBe(422)
    expect(await told(tester)).toEqual({ notifications: 1, jobs: 1 })
    expect(await count(`pgboss.job where name = 'ledger.pay-out'`, [])).toBe(payouts)
  })
})

/** A requested withdrawal; the payment method decides how the sandbox answers. */
const asked = async (paymentMethod: string | null = null) => {
  const tester = await paidTester(t, developer, admin, 1500)
  if (paymentMethod) {
    await tester.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
    await t.advance(24)
  }
  await withdraw(tester, 'payout')
  const [row] = await withdrawalOf(tester)
  return { tester, withdrawalId: row!.id }
}
/** The call of a withdrawal as it is right after sending. */
const sentPayout = async (withdrawalId: string) => {
  await transact(tx => claimWithdrawal(tx, withdrawalId, { provider: 'sandbox', now: clock.now() }))
  return (await sendCall(autocommit, withdrawalId, clock.now()))!
}
const movements = (id: string) => count('sandbox_movements where request_id = $1', [id])

describe('a payout', () => {
  test('that was made by a server that died is looked up a day later, with everything that follows', async () => {
    const { tester, withdrawalId } = await asked('returned@example.test')
    await sandbox.payOut(await sentPayout(withdrawalId))
    // The server died before it had noted anything.
    await t.look('delete from sandbox_movements where request_id = $1', [withdrawalId])
    await t.look('delete from provider_events where event_id = $1', [`returned:${withdrawalId}`])
    await t.look(`update provider_calls set sent_at = sent_at - interval '24 hours' where subject_id = $1`, [
      withdrawalId,
    ])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await movements(withdrawalId)).toBe(1)
    expect(await brokenChecks()).toEqual([])
    await t.advance(49)
    expect(await balanceOf(tester)).toBe(1500)
  })

  test.each([
    ['paid', null, 'COMPLETED', 0, ['Paid out', 'Withdrawal requested']],
    ['declined', 'decline@example.test', 'FAILED', 1500, ['Withdrawal failed', 'Withdrawal requested']],
  ])(
    'that dies after the provider %s and before the record is recorded once by the next try',
    async (_answer, method, status, balance, emails) => {
      const { tester, withdrawalId } = await asked(method)
      await sandbox.payOut(await sentPayout(withdrawalId))
      expect(await withdrawalOf(tester)).toMatchObject([{ status: 'PENDING' }])
      // The checks tolerate money that was paid a moment ago and is about to be recorded.
      expect(await brokenChecks()).toEqual([])
      await t.advance(1)
      expect(await withdrawalOf(tester)).toMatchObject([{ status }])
      expect(await movements(withdrawalId)).toBe(1)
      expect(await balanceOf(tester)).toBe(balance)
      expect(await emailsTo(tester)).toEqual(emails)
    },
  )

  test('whose connection dies while it is recorded is recorded by the next try, with one email', async () => {
    const { tester, withdrawalId } = await asked()
    const died = await crashes.crashAt(`select from accounts where kind = 'PROVIDER_CASH'`, [], () =>
      payOut.run({ withdrawalId }).then(
        () => null,
        (error: unknown) => error,
      ),
    )
    expect(died).toBeInstanceOf(Error)
    expect(await movements(withdrawalId)).toBe(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'PENDING' }])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await movements(withdrawalId)).toBe(1)
    expect(await emailsTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
  })

  test('that several workers carry out at once, and again afterwards, is paid once and announced once', async () => {
    const { tester, withdrawalId } = await asked()
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => payOut.run({ withdrawalId })))
    expect(settled.some(({ status }) => status === 'fulfilled')).toBe(true)
    await payOut.run({ withdrawalId })
    await t.advance(1)
    expect(await movements(withdrawalId)).toBe(1)
    expect(await emailsTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
    expect(await balanceOf(tester)).toBe(0)
  })

  test('is not settled by a late answer to an earlier attempt', async () => {
    const { tester, withdrawalId } = await asked()
    const { payOut: pays } = sandbox
    let refuseFirst = () => {}
    const first = new Promise<Answer>(
      resolve => (refuseFirst = () => resolve({ outcome: 'LATER', reason: 'Not enough there yet.' })),
    )
    try {
      let asks = 0
      const isAsked = new Promise<void>(resolve => {
        sandbox.payOut = () => {
          if (asks++ > 0) return Promise.resolve({ outcome: 'LATER', reason: 'Not enough there yet.' })
          resolve()
          return first
        }
      })
      const late = payOut.run({ withdrawalId })
      await isAsked
      await payOut.run({ withdrawalId })
      // The next attempt is already at the provider when the answer to the first arrives.
      await sentPayout(withdrawalId)
      refuseFirst()
      await late
    } finally {
      sandbox.payOut = pays
    }
    const attempts = `select attempt, status from provider_calls where subject_id = $1 order by attempt`
    expect(await t.look(attempts, [withdrawalId])).toEqual([
      { attempt: 1, status: 'REFUSED' },
      { attempt: 2, status: 'PENDING' },
    ])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await movements(withdrawalId)).toBe(1)
  })

  test('whose job is lost is made up for after a day: no money stays in transit', async () => {
    const { tester, withdrawalId } = await asked()
    await t.look('delete from pgboss.job where data::text like $1', [`%${withdrawalId}%`])
    await t.advance(23)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'PENDING' }])
    await t.advance(1)
    expect(await withdrawalOf(tester)).toMatchObject([{ status: 'COMPLETED' }])
    expect(await emailsTo(tester)).toEqual(['Paid out', 'Withdrawal requested'])
  })
})

const refundOf = (campaignId: string) =>
  t.look<{ id: string; status: string; amount_cents: number }>(
    'select id, status, amount_cents from refunds where campaign_id = $1',
    [campaignId],
  )

const cancelled = async () => {
  const { id } = await liveCampaign(developer, admin)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  const refundId = (await refundOf(id))[0]!.id
  const [part] = await t.look<{ id: string }>('select id from refund_parts where refund_id = $1', [refundId])
  return { campaignId: id, refundId, partId: part!.id }
}

describe('a refund', () => {
  test('that is carried out by several workers at once reaches the developer once', async () => {
    const { campaignId, refundId, partId } = await cancelled()
    await sandbox.refund((await sendCall(autocommit, partId, clock.now()))!)
    await Promise.allSettled(Array.from({ length: 6 }, () => payRefund.run({ refundId })))
    await Promise.allSettled(Array.from({ length: 6 }, () => payRefundPart.run({ partId })))
    await t.advance(1)
    expect(await refundOf(campaignId)).toEqual([{ id: refundId, status: 'COMPLETED', amount_cents: 3450 }])
    expect(await count('sandbox_movements where request_id = $1', [partId])).toBe(1)
    expect(await count(`transfers where business_key = 'refund-out:' || $1`, [partId])).toBe(1)
  })

  test('whose job is lost is made up for after a day', async () => {
    const { campaignId, refundId } = await cancelled()
    await t.look('delete from pgboss.job where data::text like $1', [`%${refundId}%`])
    await t.advance(24)
    expect(await refundOf(campaignId)).toMatchObject([{ status: 'COMPLETED' }])
  })
})

test('the books balance', async () => {
  await t.advance(1)
  expect(await brokenChecks()).toEqual([])
})
