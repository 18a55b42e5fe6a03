/**
 * A copy of an installation with Stripe, restored after the original continued and Stripe forgot its keys: what the copy has as on
 * its way is neither lost nor done twice.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks } from '../../../testing/observed.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { intentsOf, metadataOf, refundsOf, transfersOf } from '../../../testing/stripe/moves.ts'
import {
  cancel,
  copyOf,
  env,
  history,
  how,
  offCents,
  restored,
  startOn,
  withdraw,
} from '../../../testing/stripe/restored.ts'
import { compareMovements } from '../comparing.ts'
import { compare, reconcile } from '../reconciling.ts'
import { resume } from '../resuming.ts'
import { stripe } from './provider.ts'
import { sweepStripeEvents } from './sweep.ts'

const goOn = async () => {
  await reconcile(history())
  return resume(how())
}

describe('movements that are on their way in the copy, and that the original has carried out', () => {
  let t: StripeApp
  let developer: Person
  let unsent: string
  let secondAttempt: string
  let returned: string
  let notMade: string
  let checked: string
  let lateTester: Person
  let refunded: Campaign
  let charged: Campaign
  let edited: Campaign

  const sessionsOf = (campaign: Campaign) =>
    t.fake.all('checkout.session').filter(each => metadataOf(each)['campaign'] === campaign.id)
  const statusOf = async (id: string) =>
    (await t.look<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]!.status
  const stateOf = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.status

  beforeAll(async () => {
    t = await startStripeApp({}, { env })
    developer = await t.signUp('DEVELOPER')
    const admin = await t.signUp('ADMIN')
    const earner = async () => (await t.earner(developer, admin, 9000)).tester
    const testers = [await earner(), await earner(), await earner(), await earner(), await earner()] as const
    lateTester = testers[0]
    ;({ campaign: refunded } = await t.paid(developer))
    charged = await draftOf(developer)
    edited = await draftOf(developer)
    // Requested, but no job had run when the backup was made.
    unsent = await withdraw(testers[0], 3000)
    secondAttempt = await withdraw(testers[1], 3000)
    returned = await withdraw(testers[2], 3000)
    checked = await withdraw(testers[3], 3000)
    notMade = await withdraw(testers[4], 3000)
    await t.look(`insert into payout_approvals (withdrawal_id, requested_at) values ($1, now())`, [checked])
    await cancel(developer, refunded.id)
    // The requests died before they were answered, so the charges are recorded but not sent.
    t.fake.faults.ask('POST /v1/checkout/sessions', 'cut', 4)
    await t.fund(developer, charged)
    await t.fund(developer, edited)
    await t.look(`update provider_calls set sent_at = null, sends = 0 where kind = 'CHARGE' and status = 'PENDING'`)
    const original = t.databaseUrl
    await t.leave()
    const copy = await copyOf(original)

    t = await startOn(t, original)
    // The original does not make this payout, because its tester is suspended there.
    await t.look(`update users set suspended_at = now(), suspension_reason = 'x' where id = $1`, [testers[4].user.id])
    await t.look(`update payout_approvals set outcome = 'LAPSED', decided_at = now()`)
    // The first attempt at one of them was refused, because our money at Stripe was not available yet.
    await t.look(
      `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, created_at, sent_at, settled_at)
        values (gen_random_uuid(), 'stripe', 'PAYOUT', $1::uuid, 1, $1::text, 'REFUSED', 'Not covered.', now(), now(), now())`,
      [secondAttempt],
    )
    await t.advance(1)
    t.fake.reverseTransfer(transfersOf(t.fake, returned)[0]!.id)
    t.fake.pay(sessionsOf(charged)[0]!.id)
    expect([unsent, secondAttempt, returned, checked, notMade].map(id => transfersOf(t.fake, id).length)).toEqual([
      1, 1, 1, 1, 0,
    ])
    expect(transfersOf(t.fake, secondAttempt)[0]!.metadata).toMatchObject({ call: `${secondAttempt}:2` })
    expect(intentsOf(t.fake, refunded).flatMap(({ id }) => refundsOf(t.fake, id))).toHaveLength(1)
    await t.leave()
    t = await restored(t, copy)
    developer = await t.signIn(developer.user.email)
    lateTester = await t.signIn(lateTester.user.email)
  })
  afterAll(() => t.stop())

  test('the paused copy takes no payment and no withdrawal, and asks Stripe for nothing', async () => {
    const asked = t.fake.calls.filter(({ name }) => name.startsWith('POST')).length
    const draft = await draftOf(developer)
    expect(await t.fund(developer, draft)).toMatchObject({ status: 503 })
    expect((await lateTester.call('POST', '/testers/withdraw', { amountCents: 2000 })).status).toBe(503)
    await t.settle()
    expect(t.fake.calls.filter(({ name }) => name.startsWith('POST'))).toHaveLength(asked)
  })

  test('once jobs resume, each is found at Stripe whichever attempt made it, and nothing is sent twice', async () => {
    expect(await goOn()).toMatchObject({ lost: 0 })
    await developer.call('PATCH', `/campaigns/${edited.id}`, { payPerTesterCents: 1200 })
    await t.advance(2)
    await t.advance(2)
    expect([unsent, secondAttempt, returned, checked].map(id => transfersOf(t.fake, id).length)).toEqual([1, 1, 1, 1])
    expect(await statusOf(unsent)).toBe('COMPLETED')
    expect(await statusOf(secondAttempt)).toBe('COMPLETED')
    expect(await statusOf(returned)).toBe('FAILED')
    // Found by the look-up, before any event reports it.
    expect(await t.look('select failure_reason as reason from withdrawals where id = $1', [returned])).toEqual([
      { reason: 'The payout was returned by your payout account.' },
    ])
    expect(await statusOf(checked)).toBe('COMPLETED')
    expect(intentsOf(t.fake, refunded).flatMap(({ id }) => refundsOf(t.fake, id))).toHaveLength(1)
    expect(sessionsOf(charged)).toHaveLength(1)
    expect(sessionsOf(edited)).toHaveLength(1)
    expect(await stateOf(charged)).toBe('PENDING_APPROVAL')
  })

  test('what the original had not made is made, once', async () => {
    expect(await statusOf(notMade)).toBe('COMPLETED')
    expect(transfersOf(t.fake, notMade)).toHaveLength(1)
  })

  test('the books balance, and Stripe agrees with them', async () => {
    await sweepStripeEvents.run({})
    await t.settle()
    expect(await brokenChecks()).toEqual([])
    expect(await offCents()).toBe(0)
    expect(await compareMovements(stripe)).toEqual([])
    expect(await compare(history())).toEqual([])
  })
})
