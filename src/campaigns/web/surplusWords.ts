/** What the screens say of money that a campaign does not need any more, by what becomes of it. */
import { formatCents } from '../../kit/money.ts'
import type { Campaign } from '../contract.ts'
import { surplusGoes } from '../seats.ts'

type Goes = ReturnType<typeof surplusGoes>

type Words = {
  /** In the money card: what "Refundable" counts; null where that depends on the campaign's state. */
  refundable: string | null
  /** In the money card, of closed seats. */
  closedSeats: string
  /** Of a seat that is about to be closed. */
  seat: string
  /** A sentence about what is left when a campaign is cancelled, and about what was left. */
  rest: string
  restBefore: string
  /** Before an amount. */
  label: string
  /** After the closing of a seat, the cancellation or an edit. */
  done: (cents: number) => string
}

const words: Record<Goes, Words> = {
  REFUNDED: {
    refundable: null,
    closedSeats: 'Refunded',
    seat: 'What you paid for it is refunded at once.',
    rest: 'Unused funds are refunded.',
    restBefore: 'Unused funds were refunded.',
    label: 'Refunded',
    done: cents => `, ${formatCents(cents)} refunded`,
  },
  WAITS: {
    refundable: 'Nothing until the bank has decided on the dispute',
    closedSeats: 'Refunded, or held until the bank decides',
    seat: 'Because of the dispute, what you paid for it stays held until the bank has decided. What the bank does not take back is refunded then.',
    rest: 'Because of the dispute, unused funds stay held until the bank has decided. What the bank does not take back is refunded then.',
    restBefore: 'Unused funds were refunded, or are held until the bank has decided on the dispute.',
    label: 'Held until the bank decides',
    done: cents => (cents > 0 ? `. ${formatCents(cents)} stays held until the bank has decided` : ''),
  },
  COVERS: {
    refundable: 'Only what is left after covering what the bank took back',
    closedSeats: 'Refunded, or taken back by the bank',
    seat: 'What you paid for it first covers what the bank took back, and only the rest is refunded.',
    rest: 'Unused funds first cover what the bank took back, and only the rest is refunded.',
    restBefore: 'Unused funds were refunded, or taken back by the bank.',
    label: 'Not needed any more',
    done: () => '',
  },
}

export const surplusWords = (campaign: Pick<Campaign, 'dispute'>): Words => words[surplusGoes(campaign)]
