/** What dialogs say about money that a campaign will no longer need, by what happens to that money. */
import { formatCents } from '../../kit/money.ts'
import type { Campaign } from '../contract.ts'
import { surplusGoes } from '../seats.ts'

type Words = {
  /** About a seat that is about to be closed. */
  seat: string
  /** About what is left when a campaign is cancelled. */
  rest: string
  /** A label before an amount. */
  label: string
  /** After the closing of a seat, the cancellation or an edit. */
  done: (cents: number) => string
}

const words: Record<ReturnType<typeof surplusGoes>, Words> = {
  REFUNDED: {
    seat: 'What you paid for it is refunded at once.',
    rest: 'Unused funds are refunded.',
    label: 'Refunded',
    done: cents => `, ${formatCents(cents)} refunded`,
  },
  WAITS: {
    seat: 'Because of the dispute, what you paid for it is held until the bank decides. Whatever the bank does not take back is then refunded.',
    rest: 'Because of the dispute, unused funds are held until the bank decides. Whatever the bank does not take back is then refunded.',
    label: 'Held until the bank decides',
    done: cents => (cents > 0 ? `. ${formatCents(cents)} is held until the bank decides` : ''),
  },
  COVERS: {
    seat: 'What you paid for it first covers what the bank took back, and only the rest is refunded.',
    rest: 'Unused funds first cover what the bank took back, and only the rest is refunded.',
    label: 'No longer needed',
    done: () => '',
  },
}

export const surplusInDialogs = (campaign: Pick<Campaign, 'dispute'>): Words => words[surplusGoes(campaign)]
