/** What is not settled has one next attempt, whoever else has looked: looks that each led to another one would only multiply. */
import { expect, test } from 'vitest'
import { liveCampaign, paidTester, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel } from '../../testing/observed.ts'
import type { Withdrawal } from '../contract.ts'
import { askAgain, carryOut, payRefundPart } from './calls.ts'
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

test('what is pending at the provider is looked at again once, however many have looked', async () => {
  const id = await asked('slow@example.test')
  await payOut.run({ withdrawalId: id })
  await inParallel(3, () => carryOut(id).then(() => 200))
  await carryOut(id)
  expect(await attempts(id)).toEqual([{ status: 'PENDING' }])
  expect(await waiting(askAgain, id)).toHaveLength(1)
  // A look that was lost is made up for: the next one that happens enqueues another.
  await t.look(`delete from pgboss.job where name = 'ledger.ask-again'`)
  await t.look(
    `update provider_calls set next_look_noted_at = next_look_noted_at - interval '1 hour' where subject_id = $1`,
    [id],
  )
  await carryOut(id)
  expect(await waiting(askAgain, id)).toHaveLength(1)
  await t.advance(1)
  expect(await t.look('select status from withdrawals where id = $1', [id])).toEqual([{ status: 'COMPLETED' }])
})

test('a payout that the provider cannot make for now is tried once an hour, however many jobs there are', async () => {
  const id = await asked('patient@example.test')
  const { payOut: pays } = sandbox
  sandbox.payOut = async () => ({ outcome: 'LATER', reason: 'Not enough there yet.' })
  try {
    await payOut.run({ withdrawalId: id })
    await payOut.run({ withdrawalId: id })
    expect(await attempts(id)).toEqual([{ status: 'REFUSED' }])
    for (let hours = 1; hours <= 3; hours++) await t.advance(1)
    expect(await attempts(id)).toHaveLength(4)
    // From a day on the hourly sweep runs it, too.
    await t.advance(24)
    const before = (await attempts(id)).length
    await settleOverdue.run({})
    for (let hours = 1; hours <= 3; hours++) await t.advance(1)
    expect((await attempts(id)).length - before).toBeLessThanOrEqual(4)
    expect(await waiting(payOut, id)).toHaveLength(1)
  } finally {
    sandbox.payOut = pays
  }
  await t.advance(1)
  expect(await t.look('select status from withdrawals where id = $1', [id])).toEqual([{ status: 'COMPLETED' }])
})

test('a refund that was refused is tried once in six hours, however many jobs there are', async () => {
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
    await payRefundPart.run({ partId })
    await payRefundPart.run({ partId })
    expect(await attempts(partId)).toEqual([{ status: 'REFUSED' }])
    await t.advance(6)
    expect(await attempts(partId)).toHaveLength(2)
  } finally {
    sandbox.refund = refunds
  }
  await t.advance(6)
  expect(await t.look('select status from refunds where campaign_id = $1', [campaignId])).toEqual([
    { status: 'COMPLETED' },
  ])
})
