/** What happens to a payment on its way when its campaign is edited or cancelled, a seat is closed, or its developer owes. */
import { formatCents } from '../../kit/money.ts'
import type { WaitingPayment } from '../../ledger/contract.ts'

/** `doing`: "Saving", "Cancelling". */
export const paymentEnds = ({ amountCents, checkoutUrl }: WaitingPayment, doing: string): string =>
  checkoutUrl === null
    ? `Your payment of ${formatCents(amountCents)} is on its way. ${doing} sends it back.`
    : `You have started a payment of ${formatCents(amountCents)}. ${doing} stops it, and anything you have already paid goes back.`

/** For a renewal, if a seat is closed meanwhile. It stays if the earlier payments can still give back as much. */
export const renewalMayEnd = ({ amountCents, checkoutUrl }: WaitingPayment): string =>
  checkoutUrl === null
    ? `Your new payment of ${formatCents(amountCents)} is on its way. Closing the seat may send it back, and you are then asked for a smaller one.`
    : `You have started a new payment of ${formatCents(amountCents)}. Closing the seat may stop it, and you are then asked for a smaller one.`

/** A payment that completes while the developer owes is refunded (settle_charge.sql). */
export const refundedWhileOwing = (owedCents: number): string =>
  `You owe ${formatCents(owedCents)} for an earlier payment that your bank took back. If that is not settled when this payment arrives, we refund it in full.`
