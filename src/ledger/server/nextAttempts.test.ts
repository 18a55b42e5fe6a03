/**
 * Anything unsettled has exactly one next attempt, whoever else looks at it. If every look led to another one, they would only
 * multiply.
 */
import { expect, test } from 'vitest'
import { fundedBy, liveCampaign, paidTester, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel } from '../../testing/observed.ts'
import { transact } from '../../kit/server/db.ts'
import type { Withdrawal } from '../contract.ts'
import { askAgain, carryOut, payRefundPart, refundReturned } from './calls.ts'
import { payOut, settleOverdue } from './payouts.ts'
import { sandbox } from './sandbox.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const asked = async (paymentMethod: string) => {
  const tester = await paidTester(t, developer, admin, 2000)
  await tester.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
  await t.advance(25)
  const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1500 })
  return body.id
}
const waiting = (job: { name: string }, id: string) =>
  t.look(
    `select from pgboss.job where name = $1 and $2 in (data->>'subjectId', data->>'withdrawalId') and state in ('created', 'retry')`,
    [job.name, id],
  )
const attempts = (id: string) =>
  t.look<{ status: string }>('select status from provider_calls where subject_id = $1 order by attempt', [id])

test('a pending call has one next look, however many have looked at it', async () => {
  const id = await asked('slow@example.test')
  await payOut.run({ withdrawalId: id })
  await inParallel(3, () => carryOut(id).then(() => 200))
  await carryOut(id)
  expect(await attempts(id)).toEqual([{ status: 'PENDING' }])
  expect(await waiting(askAgain, id)).toHaveLength(1)
  // The job's own look enqueues the next one; a repetition of it does not.
  const [{ data }] = (await t.look(
    `select data from pgboss.job where name = 'ledger.ask-again' and data->>'subjectId' = $1 and (data->>'look')::int = 1`,
    [id],
  )) as [{ data: { subjectId: string; look: number } }]
  await askAgain.run(data)
  await askAgain.run(data)
  expect(await waiting(askAgain, id)).toHaveLength(2)
  await t.advance(1)
  expect(await t.look('select status from withdrawals where id = $1', [id])).toEqual([{ status: 'COMPLETED' }])
})

test('a payout that the provider cannot make for now is retried once an hour, however many jobs there are', async () => {
  const id = await asked('patient@example.test')
  const { payOut: pays } = sandbox
  sandbox.payOut = async () => ({ outcome: 'LATER', reason: 'Not enough there yet.' })
  try {
    for (let jobs = 0; jobs < 3; jobs++) await payOut.run({ withdrawalId: id })
    // Together with the request's own job, which is still to come.
    await t.advance(1)
    const hourly = (await attempts(id)).length
    expect(hourly).toBeLessThanOrEqual(5)
    for (let hours = 1; hours <= 3; hours++) await t.advance(1)
    expect(await attempts(id)).toHaveLength(hourly + 3)
    // After a day the hourly sweep runs it, too.
    await t.advance(24)
    const before = (await attempts(id)).length
    for (let sweeps = 0; sweeps < 3; sweeps++) await settleOverdue.run({})
    expect(await attempts(id)).toHaveLength(before + 3)
    await t.advance(1)
    expect((await attempts(id)).length).toBeLessThanOrEqual(before + 5)
    expect(await waiting(payOut, id)).toHaveLength(1)
  } finally {
    sandbox.payOut = pays
  }
  await t.advance(1)
  expect(await t.look('select status from withdrawals where id = $1', [id])).toEqual([{ status: 'COMPLETED' }])
  // The attempts before the last one stay refused.
  const ended = (await attempts(id)).map(({ status }) => status)
  expect(ended).toEqual([...ended.slice(1).map(() => 'REFUSED'), 'DONE'])
})

test('a refused refund is retried once in six hours, however many jobs there are', async () => {
  const { id: campaignId } = await liveCampaign(developer, admin)
  const { refund: refunds } = sandbox
  sandbox.refund = async () => ({ outcome: 'REFUSED', reason: 'The card is blocked.' })
  try {
    expect((await developer.call('POST', `/campaigns/${campaignId}/cancel`)).status).toBe(200)
    await t.advance(0)
    const [part] = await t.look<{ id: string }>(
      'select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1',
      [campaignId],
    )
    const partId = part!.id
    for (let jobs = 0; jobs < 3; jobs++) await payRefundPart.run({ partId })
    await t.advance(6)
    const begun = (await attempts(partId)).length
    expect(begun).toBeLessThanOrEqual(5)
    for (let times = 1; times <= 2; times++) await t.advance(6)
    expect(await attempts(partId)).toHaveLength(begun + 2)
    // A job enqueued after fewer attempts has been overtaken.
    await payRefundPart.run({ partId, after: begun })
    expect(await attempts(partId)).toHaveLength(begun + 2)
  } finally {
    sandbox.refund = refunds
  }
  await t.advance(6)
  expect(await t.look('select status from refunds where campaign_id = $1', [campaignId])).toEqual([
    { status: 'COMPLETED' },
  ])
})

test('attempts that earlier releases could not cover with our money at Stripe do not count as refusals', async () => {
  const { id: campaignId } = await fundedBy(developer)
  await developer.call('POST', `/campaigns/${campaignId}/cancel`)
  await t.advance(1)
  const [{ part, reference }] = (await t.look<{ part: string; reference: string }>(
    `select p.id as part, c.reference from refund_parts p join refunds r on r.id = p.refund_id
      join provider_calls c on c.subject_id = p.id and c.status = 'DONE' where r.campaign_id = $1`,
    [campaignId],
  )) as [{ part: string; reference: string }]
  await t.look(
    `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at, amount_cents)
      select gen_random_uuid(), provider, kind, subject_id, 1 + n, key || ':' || 1 + n, 'REFUSED',
        'Our money at Stripe is not available yet. We try again every hour.', sent_at, created_at, now(), amount_cents
      from provider_calls, generate_series(1, 40) n where subject_id = $1`,
    [part],
  )
  await transact(tx => refundReturned(tx, part, reference, 'The card is closed.'))
  const stuckSince = () => t.look('select status, stuck_since from refund_parts where id = $1', [part])
  expect(await stuckSince()).toEqual([{ status: 'PENDING', stuck_since: null }])
})
