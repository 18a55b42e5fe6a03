/** What a campaign's page says about money that the campaign no longer needs, by what happens to that money. */
import type { Campaign } from '../contract.ts'
import { surplusGoes } from '../seats.ts'

type Words = {
  /** In the money card: what "Refundable" counts; null if that depends on the campaign's state. */
  refundable: string | null
  /** In the money card: a sentence about closed seats. */
  closedSeats: string
  /** A sentence about what was left when the campaign was cancelled. */
  rest: string
}

const words: Record<ReturnType<typeof surplusGoes>, Words> = {
  REFUNDED: { refundable: null, closedSeats: 'Refunded', rest: 'Any unused funds were refunded.' },
  WAITS: {
    refundable: 'Nothing until the bank decides the dispute',
    closedSeats: 'Refunded, or held until the bank decides',
    rest: 'Any unused funds were refunded or are held until the bank decides the dispute.',
  },
  COVERS: {
    refundable: 'Only what is left after covering what the bank took back',
    closedSeats: 'Refunded, or taken back by the bank',
    rest: 'Any unused funds were refunded or taken back by the bank.',
  },
}

export const surplusWords = (campaign: Pick<Campaign, 'dispute'>): Words => words[surplusGoes(campaign)]
