/** What developers pay. */
import * as campaigns from '../../../campaigns/server/campaigns.ts'
import type { Charge, Code } from '../books.ts'
import { called, callerOf, named, onCampaign, once } from './making.ts'

const isOutcomeOf = ({ status }: Charge, outcome: Code | null): boolean => {
  // It may have been answered before it was settled.
  if (outcome === null || status === 'PENDING') return outcome === null
  return outcome === (status === 'FAILED' ? 'PAYMENT_DECLINED' : status === 'COMPLETED' ? null : 'WRONG_STATE')
}

export const fund = onCampaign(
  (c, books) => c.status === 'DRAFT' && books.outstanding(c) > 0,
  (c, scene, draw, key) => {
    const { books, look } = scene
    const cents = Math.max(1, books.outstanding(c) + (draw(15) === 0 ? draw(3) - 1 : 0))
    let charge: Charge | undefined
    return {
      label: `${called(c.developer)} pays ${cents} for ${named(c)}`,
      about: { key, cents },
      run: () => campaigns.fund(callerOf(c.developer), { campaignId: c.id, amountCents: cents }, { key }),
      asksProvider: true,
      ...once(scene, key, c.developer, async () => {
        const refusal = books.whyNotFund(c, cents)
        if (refusal !== null) return refusal
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
)
