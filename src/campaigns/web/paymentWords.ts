/** What happens to a payment on its way when its campaign is edited or cancelled. */
import { formatCents } from '../../kit/money.ts'
import type { WaitingPayment } from '../../ledger/contract.ts'

/** `doing`: "Saving", "Cancelling". */
export const paymentEnds = ({ amountCents, checkoutUrl }: WaitingPayment, doing: string): string =>
  checkoutUrl === null
    ? `Your payment of ${formatCents(amountCents)} is on its way. ${doing} sends it back.`
    : `You have started a payment of ${formatCents(amountCents)}. ${doing} stops it, and anything you have already paid goes back.`
