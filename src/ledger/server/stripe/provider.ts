/** The provider `stripe` (decision 057): Checkout for charges, Connect for payouts. */
import type { CallKind, PaymentProvider } from '../provider.ts'
import { charge, endCharge, lookUpCharge } from './charges.ts'
import { stripeOrThrow } from './client.ts'
import { movements } from './movements.ts'
import { lookUpPayout, lookUpRefund, payOut, refund } from './payouts.ts'

const lookUp = { CHARGE: lookUpCharge, PAYOUT: lookUpPayout, REFUND: lookUpRefund } satisfies Record<CallKind, unknown>

const inDollars = (amounts: readonly { amount: number; currency: string }[]) =>
  amounts.filter(({ currency }) => currency === 'usd').reduce((sum, { amount }) => sum + amount, 0)

export const stripe = {
  name: 'stripe',
  assertReady: async () => {
    stripeOrThrow()
  },
  // Stripe's minimum for dollars.
  leastChargeCents: 50,
  charge: asked => charge(stripeOrThrow(), asked),
  payOut: asked => payOut(stripeOrThrow(), asked),
  refund: asked => refund(stripeOrThrow(), asked),
  lookUp: (kind, asked) => lookUp[kind](stripeOrThrow(), asked),
  endCharge: (asked, key) => endCharge(stripeOrThrow(), asked, key),
  balanceCents: async () => {
    const { available, pending } = await stripeOrThrow().api.balance.retrieve()
    return inDollars(available) + inDollars(pending)
  },
  movements: () => movements(stripeOrThrow()),
  forgetsKeys: true,
  delaySeconds: 0,
  // Webhooks report at once; this covers one that was lost.
  pollSeconds: 3600,
} satisfies PaymentProvider
