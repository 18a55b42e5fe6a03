/** The real application with Stripe set up, and a fake Stripe. */
import type { Campaign } from '../../campaigns/contract.ts'
import { clock } from '../../kit/clock.ts'
import { daysAndProof, draftOf, joinedBy, type Person, type Reply, type TestApp } from '../app.ts'
import { startTestApp } from '../start.ts'
import { type FakeOptions, type StripeFake, startStripeFake } from './fake.ts'

const webhookSecret = 'whsec_of_the_tests'

export type StripeApp = TestApp & {
  fake: StripeFake
  /** Delivers Stripe's webhooks and processes them. Returns the statuses of our answers. */
  tell: () => Promise<number[]>
  /** Sends a raw body to `url`, or to the address of Stripe's webhooks. */
  post: (body: string, signature: string, url?: string) => Promise<number>
  /** Runs the jobs that are due. */
  settle: () => Promise<void>
  fund: (developer: Person, campaign: Campaign, key?: string) => Promise<Reply<Campaign>>
  /** Creates a campaign and pays for it. */
  paid: (developer: Person, terms?: Record<string, unknown>) => Promise<{ campaign: Campaign; intent: string }>
  /** A tester whose one-day test was verified, with a payout account that is ready. */
  earner: (developer: Person, admin: Person, payPerTesterCents: number) => Promise<{ tester: Person; account: string }>
  /** Stops the application but not its Stripe. */
  leave: () => Promise<void>
}

export const lastSession = (fake: StripeFake): string => fake.all('checkout.session')[0]!.id

type Place = {
  /** Continues with the Stripe of another application, which was stopped with `leave`. */
  fake?: StripeFake
  env?: Record<string, string>
  via?: (databaseUrl: string) => Promise<string>
}

export const startStripeApp = async (
  options: Omit<FakeOptions, 'now'> = {},
  { fake: given, env = {}, via }: Place = {},
): Promise<StripeApp> => {
  const fake = given ?? (await startStripeFake({ pendingDays: 0, ...options, now: clock.nowMs }))
  const stripe = {
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: fake.origin,
  }
  const t = await startTestApp({ ...stripe, ...env }, via ? { via } : {})
  const post = async (body: string, signature: string, url = '/api/v1/payments/webhooks/stripe') => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
    return (await t.app.inject({ method: 'POST', url, headers, payload: body })).statusCode
  }
  fake.webhooks.configure({
    secret: webhookSecret,
    send: (body, headers) => post(body, headers['stripe-signature'] ?? ''),
  })
  const settle = () => t.advance(0)
  const tell = async () => {
    const told = await fake.webhooks.deliver()
    await settle()
    return told.map(({ status }) => status)
  }
  const fund = (developer: Person, { id, totalCostCents }: Campaign, key?: string) =>
    developer.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents }, key)
  const paid = async (developer: Person, terms: Record<string, unknown> = {}) => {
    const draft = await draftOf(developer, terms)
    await fund(developer, draft)
    const intent = fake.pay(lastSession(fake))
    await tell()
    const { body } = await developer.call<Campaign>('GET', `/campaigns/${draft.id}`)
    return { campaign: body, intent }
  }
  const earner = async (developer: Person, admin: Person, payPerTesterCents: number) => {
    const { campaign } = await paid(developer, { testersRequired: 1, payPerTesterCents, durationDays: 1 })
    await admin.call('POST', `/admin/campaigns/${campaign.id}/approve`)
    await developer.call('POST', `/campaigns/${campaign.id}/start`)
    const tester = await t.signUp('TESTER')
    // Opened a day before the money is earned, because a new payout account pauses withdrawals for a day.
    await tester.call('POST', '/testers/payout-account/link', { country: 'DE' })
    const account = fake.all('v2.core.account')[0]!.id
    fake.onboard(account)
    await tester.call('GET', '/testers/payout-account')
    const { id } = await joinedBy(tester, campaign.id)
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    const { status, body } = await developer.call('POST', `/campaign-testers/${id}/verify`)
    if (status !== 200) throw new Error(`verifying failed: ${JSON.stringify(body)}`)
    return { tester, account }
  }
  return {
    ...t,
    fake,
    tell,
    post,
    settle,
    fund,
    paid,
    earner,
    leave: t.stop,
    stop: async () => {
      await t.stop()
      await fake.stop()
    },
  }
}
