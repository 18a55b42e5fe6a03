/** Rare replies of Stripe: another amount than we asked for, canceled objects, closed accounts. */
import type { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import type { PayoutAccount } from '../../contract.ts'
import { newsOf } from './disputes.ts'

let t: StripeApp
let developer: Person
let admin: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN')
})
afterAll(() => t.stop())

const now = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const tell = () => t.tell().catch(() => [])
/** Stripe forgets the keys of unanswered calls, so these are looked up. */
const lookUp = async () => {
  await t.look(`update provider_calls set sent_at = sent_at - interval '2 days' where status = 'PENDING'`)
  await t.advance(1).catch(() => undefined)
}

describe('a page', () => {
  test.each([
    ['sum', ({ totalCostCents }: Campaign) => ({ amount_total: totalCostCents - 1 })],
    ['currency', () => ({ currency: 'eur' })],
  ])('that was paid with another %s leaves the campaign unpaid', async (_what, fields) => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    const session = lastSession(t.fake)
    t.fake.pay(session)
    const asPaid = t.fake.oddly(session, fields(draft))
    await tell()
    expect(await now(draft)).toMatchObject({ status: 'DRAFT' })
    expect(await t.look('select from payments where campaign_id = $1', [draft.id])).toEqual([])
    t.fake.oddly(session, asPaid)
    await t.advance(25)
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
  })

  test('whose payment was canceled has failed', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    const session = lastSession(t.fake)
    const intent = t.fake.payLater(session)
    t.fake.oddly(intent, { status: 'canceled' })
    t.fake.oddly(session, {}, ['checkout.session.async_payment_failed'])
    await tell()
    expect((await now(draft)).payment).toBeUndefined()
    expect(await t.look('select status from payments where campaign_id = $1', [draft.id])).toEqual([
      { status: 'FAILED' },
    ])
  })
})

describe('a transfer', () => {
  const lost = async () => {
    const { tester } = await t.earner(developer, admin, 5000)
    t.fake.faults.ask('POST /v1/transfers', 'lose-answer', 2)
    await tester.call('POST', '/testers/withdraw', { amountCents: 3000 })
    await t.settle().catch(() => undefined)
    const states = () =>
      t.look('select status, failure_reason as reason from withdrawals where tester_id = $1', [tester.user.id])
    expect(await states()).toMatchObject([{ status: 'PENDING' }])
    return { states, id: t.fake.all('transfer')[0]!.id }
  }

  test.each([
    ['sum', { amount: 2999 }],
    ['currency', { currency: 'eur' }],
  ])('of another %s is not mistaken for the withdrawal that is looked up', async (_what, fields) => {
    const { states, id } = await lost()
    const asMade = t.fake.oddly(id, fields)
    await lookUp()
    expect(await states()).toMatchObject([{ status: 'PENDING' }])
    t.fake.oddly(id, asMade)
    await t.advance(25)
    expect(await states()).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('that came back before it was looked up has failed with that reason, and is not made again', async () => {
    const { states, id } = await lost()
    const made = t.fake.all('transfer').length
    t.fake.reverseTransfer(id)
    await lookUp()
    expect(await states()).toMatchObject([
      { status: 'FAILED', reason: expect.stringContaining('was returned') as string },
    ])
    expect(t.fake.all('transfer')).toHaveLength(made)
    await tell()
  })
})

describe('a refund', () => {
  const partOf = ({ id }: Campaign) =>
    t.look<{ status: string }>(
      'select part.status from refund_parts part join payments p on p.id = part.payment_id where p.campaign_id = $1',
      [id],
    )

  test('of another amount is not mistaken for the part that is looked up', async () => {
    const { campaign } = await t.paid(developer)
    t.fake.faults.ask('POST /v1/refunds', 'lose-answer', 2)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.settle().catch(() => undefined)
    const { id } = t.fake.all('refund')[0]!
    const asMade = t.fake.oddly(id, { amount: campaign.totalCostCents - 1 })
    await lookUp()
    expect(await partOf(campaign)).toEqual([{ status: 'PENDING' }])
    t.fake.oddly(id, asMade)
    await t.advance(25)
    expect(await partOf(campaign)).toEqual([{ status: 'COMPLETED' }])
  })

  test('that was canceled counts as come back, like a failed one', async () => {
    const { campaign } = await t.paid(developer)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.settle()
    expect(await partOf(campaign)).toEqual([{ status: 'COMPLETED' }])
    t.fake.failRefund(t.fake.all('refund')[0]!.id, 'canceled')
    await tell()
    expect(await partOf(campaign)).toEqual([{ status: 'PENDING' }])
    await t.advance(7)
    expect(await partOf(campaign)).toEqual([{ status: 'COMPLETED' }])
  })
})

describe('a dispute', () => {
  const news = (fields: Partial<Stripe.Dispute>) =>
    newsOf(
      {
        id: 'dp_1',
        amount: 1000,
        currency: 'usd',
        reason: 'product_not_received',
        created: 1_700_000_000,
        evidence_details: { due_by: null },
        balance_transactions: [],
        ...fields,
      } as unknown as Stripe.Dispute,
      'payment',
    )

  test.each([
    ['warning_needs_response', 'OPEN'],
    ['warning_under_review', 'OPEN'],
    ['warning_closed', 'WON'],
    ['needs_response', 'OPEN'],
    ['under_review', 'OPEN'],
    ['appeal_needs_response', 'OPEN'],
    ['appeal_under_review', 'OPEN'],
    ['prevented', 'WON'],
    ['won', 'WON'],
    ['lost', 'LOST'],
  ] as const)('that is %s at Stripe is %s here', (status, ours) => {
    expect(news({ status } as Partial<Stripe.Dispute>).status).toBe(ours)
  })

  test('in an unknown status or currency is not guessed at', () => {
    expect(() => news({ status: 'settled' as never })).toThrow('dispute dp_1 is settled in usd')
    expect(() => news({ status: 'lost', currency: 'eur' })).toThrow('dispute dp_1 is lost in eur')
  })
})

describe('a payout account', () => {
  const opened = async () => {
    const tester = await t.signUp('TESTER')
    await tester.call('POST', '/testers/payout-account/link', { country: 'DE' })
    const look = async () => (await tester.call<PayoutAccount>('GET', '/testers/payout-account')).body
    return { look, id: t.fake.all('v2.core.account')[0]!.id }
  }
  const transfersAre = (status: string) => ({
    configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { status } } } } },
  })

  test.each([
    ['that is closed', { closed: true }, 'REJECTED'],
    ['that cannot get transfers', transfersAre('unsupported'), 'REJECTED'],
    ['that Stripe has rejected', transfersAre('rejected'), 'REJECTED'],
    ['that Stripe looks at', transfersAre('pending'), 'IN_REVIEW'],
    ['that lacks something', transfersAre('restricted'), 'INCOMPLETE'],
    ['that may get transfers', transfersAre('active'), 'READY'],
  ])('%s', async (_what, fields, ours) => {
    const { look, id } = await opened()
    t.fake.oddly(id, fields)
    expect((await look()).status).toBe(ours)
  })

  test('asks its owner only for what they have to provide, not for what waits for Stripe', async () => {
    const { look, id } = await opened()
    const entries = ['user', 'stripe', 'platform'].map(awaiting_action_from => ({
      awaiting_action_from,
      description: `identity.individual.document_of_${awaiting_action_from}`,
    }))
    t.fake.oddly(id, { requirements: { entries } })
    expect((await look()).missing).toEqual(['Document of user'])
  })
})
