/** Payments by developers. */
import * as campaigns from '../../../campaigns/server/campaigns.ts'
import type { Books, Campaign, Charge, Code } from '../books.ts'
import { called, callerOf, named, onCampaign, once } from './making.ts'

const isOutcomeOf = ({ status }: Charge, outcome: Code | null): boolean => {
  // The request may have been answered before the charge was settled.
  if (outcome === null || status === 'PENDING') return outcome === null
  return outcome === (status === 'FAILED' ? 'PAYMENT_DECLINED' : status === 'COMPLETED' ? null : 'WRONG_STATE')
}

type Pays = {
  does: typeof campaigns.fund
  /** Names the payment in the label. */
  verb: string
  centsOf: (books: Books, c: Campaign) => number
  refusal: (books: Books, c: Campaign, cents: number) => Code | null
}

const paying = ({ does, verb, centsOf, refusal }: Pays) =>
  onCampaign(
    (c, books) => refusal(books, c, centsOf(books, c)) === null,
    (c, scene, draw, key) => {
      const { books, look } = scene
      const cents = Math.max(1, centsOf(books, c) + (draw(15) === 0 ? draw(3) - 1 : 0))
      let charge: Charge | undefined
      return {
        label: `${called(c.developer)} pays ${cents} ${verb} ${named(c)}`,
        about: { key, cents },
        run: () => does(callerOf(c.developer), { campaignId: c.id, amountCents: cents }, { key }),
        asksProvider: true,
        ...once(scene, key, c.developer, async () => {
          const why = refusal(books, c, cents)
          if (why !== null) return why
          const known = books.charges.filter(one => one.campaign === c).map(({ id }) => id)
          const [row] = await look<{ id: string }>('select id from charges where campaign_id = $1 and id <> all ($2)', [
            c.id,
            known,
          ])
          if (!row) throw new Error('no charge was begun')
          books.chargeBegun(row.id, c)
          charge = books.charges.at(-1)
          return null
        }),
        decides: /begin_charge|insert into idempotency_keys/,
        isOutcome: outcome => charge !== undefined && isOutcomeOf(charge, outcome),
      }
    },
    // Preferred, so that somebody is paid from the old money while the new payment is on its way.
    c => c.tests.some(({ status }) => status === 'SUBMITTED'),
  )

export const fund = paying({
  does: campaigns.fund,
  verb: 'for',
  centsOf: (books, c) => books.outstanding(c),
  refusal: (books, c, cents) => books.whyNotFund(c, cents),
})

/** A new payment for money that has been in escrow for long. */
export const renew = paying({
  does: campaigns.renew,
  verb: 'anew for',
  centsOf: (books, c) => books.heldOf(c),
  refusal: (books, c, cents) => books.whyNotRenew(c, cents),
})
