/** The fake Stripe at the end of a bad line. People pay or do not; webhooks come twice, late, in any order, or never. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { clock } from '../../src/kit/clock.ts'
import { stripeEventHandlers } from '../../src/ledger/server/stripe/events.ts'
import { type StripeFake, startStripeFake } from '../../src/testing/stripe/fake.ts'
import type { Crowd } from './clients.ts'
import { openBadLine } from './line.ts'
import type { Movement, Provider } from './provider.ts'
import type { Random } from './random.ts'

const secret = 'whsec_of_the_faults'
const lookEveryMs = 100
/** Longer than the longest delay, and than the pause before a call is repeated. */
const calmMs = 1_200
const answerWithinMs = 10_000

type Named = { id: string; amount: number; status?: string; reversed?: boolean; metadata: Record<string, string> }

const movementsOf = (fake: StripeFake): Movement[] => {
  const listed = (object: string, kind: string, by: string, counts: (one: Named) => boolean) =>
    (fake.all(object) as unknown as Named[])
      .filter(counts)
      .map(({ amount, metadata }) => ({ name: `${kind} ${metadata[by]}`, cents: amount }))
  return [
    ...listed('charge', 'CHARGE', 'charge', ({ status }) => status === 'succeeded'),
    ...listed('transfer', 'PAYOUT', 'withdrawal', () => true),
    ...listed('transfer', 'RETURN', 'withdrawal', ({ reversed }) => reversed === true),
    ...listed('refund', 'REFUND', 'part', ({ status }) => status === 'succeeded'),
  ]
}

const transfersAsked = { stripe_balance: { stripe_transfers: { requested: true } } }

/** Gives each tester a ready account, in the quickest way. */
const openAccounts = async (fake: StripeFake, db: pg.Client, { testers }: Crowd): Promise<void> => {
  for (const { id } of testers) {
    const reply = await fetch(`${fake.origin}/v2/core/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fake.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        identity: { country: 'de' },
        configuration: { recipient: { capabilities: transfersAsked } },
      }),
    })
    const account = (await reply.json()) as { id: string }
    fake.onboard(account.id)
    await db.query(
      `insert into payout_accounts (user_id, account_id, country, status, checked_at, created_at)
        values ($1, $2, 'DE', 'READY', now(), now())`,
      [id, account.id],
    )
  }
}

/** What people do on Stripe's pages, and what their banks do. */
const actAt = (fake: StripeFake, random: Random) => {
  const seen = new Set<string>()
  let undecided: (() => void)[] = []
  const visit = (session: string) => {
    const fate = random.below(12)
    // Nobody pays, and the session expires.
    if (fate === 0) return
    if (fate === 1) fake.declineCard(session)
    if (fate === 2) {
      fake.payLater(session)
      const outcome = random.below(3) === 0 ? 'failed' : 'succeeded'
      undecided.push(() => fake.settlePayment(session, outcome))
    } else if (fate === 3) {
      const intent = fake.payUnbooked(session)
      undecided.push(() => fake.bookPayment(intent))
    } else fake.pay(session)
  }
  const decide = () => {
    const due = undecided
    undecided = []
    for (const outcome of due) outcome()
  }
  return {
    decide,
    turn: () => {
      decide()
      for (const { id, status } of fake.all('checkout.session')) {
        if (status !== 'open' || seen.has(id)) continue
        seen.add(id)
        visit(id)
      }
      const arrived = fake.all('transfer').filter(({ reversed }) => reversed !== true)
      const one = arrived[random.below(400)]
      if (one) fake.reverseTransfer(one.id)
    },
  }
}

export const stripeBehindBadLine = async (random: Random): Promise<Provider> => {
  const fake = await startStripeFake({ pendingDays: 0, keyDays: 3, now: clock.nowMs })
  const line = await openBadLine(fake.address.port, random)
  const people = actAt(fake, random)
  let webhooksLost = 0
  const sendTo = (servers: () => readonly string[]) =>
    fake.webhooks.configure({
      secret,
      types: Object.keys(stripeEventHandlers),
      repeated: 0.2,
      late: 0.05,
      shuffle: true,
      send: async (body, headers) => {
        const living = servers()
        const url = new URL('/api/v1/payments/webhooks/stripe', living[random.below(Math.max(1, living.length))])
        const signal = AbortSignal.timeout(answerWithinMs)
        const reply = await fetch(url, { method: 'POST', headers, body, signal })
        await reply.arrayBuffer()
        return reply.status
      },
    })
  return {
    env: { STRIPE_SECRET_KEY: fake.secretKey, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: line.origin },
    addresses: [''],
    prepare: async (db, crowd) => {
      await openAccounts(fake, db, crowd)
      // Stripe keeps its fee when it refunds, so without this its balance would not cover all payouts.
      await db.query('update settings set fee_basis_points = 3000')
    },
    live: async (servers, over) => {
      sendTo(servers)
      while (!over.aborted) {
        people.turn()
        // As if the endpoint had been switched off for a moment; the daily sweep finds these events.
        if (random.below(100) === 0) webhooksLost += fake.webhooks.lose()
        await fake.webhooks.deliver()
        await pause(lookEveryMs)
      }
      people.decide()
    },
    tell: async servers => {
      sendTo(servers)
      await fake.webhooks.deliver()
    },
    calm: async () => {
      line.calm(2 * calmMs)
      await pause(calmMs)
    },
    heal: line.heal,
    lost: () => ({ ...line.counts, 'webhooks lost': webhooksLost }),
    movements: async () => movementsOf(fake),
    heldCents: async () => fake.availableCents() + fake.pendingCents(),
    stop: async () => {
      await line.stop()
      await fake.stop()
    },
  }
}
