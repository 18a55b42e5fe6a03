/** Paying for a campaign, and again after a lost dispute. */
import { randomUUIDv7 } from 'node:crypto'
import { assertActiveAlone, assertConfirmed } from '../../accounts/server/accounts.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { outcomeOf } from '../../kit/server/transaction.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import type { Campaign } from '../contract.ts'
import { assertFundable, assertRenewable } from '../rules.ts'
import * as queries from './queries.ts'
import { get } from './reading.ts'
import { situationOf } from './toCampaign.ts'

type Funding = { campaignId: string; amountCents: number }
type Request = { key: string | null; requestId?: string | undefined }

/** Reads what is in escrow once no other transaction can move it. One round trip. */
const lockToPay = async (call: 'fund' | 'renew', tx: Tx, developer: SignedIn, id: string) => {
  const held = call === 'renew' ? queries.holdOwnCampaign(tx, developer.id, id) : undefined
  const [row] = await Promise.all([queries.lockCampaignFor(tx, developer, id), held])
  return row
}

/**
 * Records the charge, then makes it outside any transaction. A declined payment is recorded, and every repeat with this key gets
 * 402. If the provider does not answer in time, the payment is on its way: the campaign stays as it is, and its reply says so.
 */
const pay = (
  call: 'fund' | 'renew',
  developer: SignedIn,
  { campaignId: id, amountCents }: Funding,
  { key, requestId }: Request,
): Promise<Campaign> => {
  const chargeId = randomUUIDv7()
  return transactOnce({
    userId: developer.id,
    key,
    requestId,
    call,
    asked: { campaignId: id, amountCents },
    subjectId: chargeId,
    // All checks share one round trip; the first rule that fails decides the refusal.
    load: tx =>
      Promise.allSettled([
        assertActiveAlone(tx, developer.id),
        lockToPay(call, tx, developer, id),
        assertConfirmed(tx, developer.id, 'PAY'),
        ledger.payerOf(tx, developer.id),
      ]),
    effect: async (tx, [active, campaign, confirmed, payer]) => {
      outcomeOf(active)
      const assertPayable = call === 'fund' ? assertFundable : assertRenewable
      // The ledger decides whether another payment is in the way: with some providers the new payment replaces it.
      assertPayable({ ...situationOf(outcomeOf(campaign)), paymentIsOnItsWay: false }, amountCents)
      outcomeOf(confirmed)
      const charge = { chargeId, campaignId: id, developerId: developer.id, amountCents }
      await ledger.beginCharge(tx, charge, outcomeOf(payer))
    },
    afterwards: ledger.carryOutCharge,
    answer: () => get(developer, id),
  })
}

export const fund = (developer: SignedIn, funding: Funding, request: Request): Promise<Campaign> =>
  pay('fund', developer, funding, request)

/** Once the new payment is made, the same amount of the earlier payments is refunded (decision 060). */
export const renew = (developer: SignedIn, funding: Funding, request: Request): Promise<Campaign> =>
  pay('renew', developer, funding, request)
