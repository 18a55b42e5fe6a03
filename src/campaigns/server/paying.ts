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

/** What is in escrow stands in accounts: it is read once nobody else moves it. In one round trip. */
const lockToPay = async (call: 'fund' | 'renew', tx: Tx, developer: SignedIn, id: string) => {
  const held = call === 'renew' ? queries.holdOwnCampaign(tx, developer.id, id) : undefined
  const [row] = await Promise.all([queries.lockCampaignFor(tx, developer, id), held])
  return row
}

/**
 * The charge is recorded, then made outside of any transaction. A declined payment is recorded, and 402 under this key from then on.
 * What the provider has not answered in time is on its way: the campaign is unchanged, and says so.
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
    // Asked in one round trip, refused in the order of the rules.
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
      // Whether it has to wait for another payment is the ledger's to say: some providers let the new one take its place.
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

/** Once it is paid, as much of the payments before it goes back (decision 060). */
export const renew = (developer: SignedIn, funding: Funding, request: Request): Promise<Campaign> =>
  pay('renew', developer, funding, request)
