/** Campaigns as their viewers see them, singly and in lists. */
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import type { AvailableQuery, Campaign, CampaignStatus, PendingQuery, SortedCampaignQuery } from '../contract.ts'
import * as lists from './lists.queries.ts'
import * as queries from './queries.ts'
import { toCampaign, viewerOf } from './toCampaign.ts'

const toPage = (
  user: SignedIn,
  rows: queries.CampaignRow[],
  limit: number,
  cursorOf: (row: queries.CampaignRow) => string = ({ id }) => id,
): Page<Campaign> => ({
  items: rows.slice(0, limit).map(row => toCampaign(user, row)),
  nextCursor: rows.length > limit ? cursorOf(rows[limit - 1]!) : null,
})

export const list = async (user: SignedIn, query: SortedCampaignQuery): Promise<Page<Campaign>> =>
  toPage(user, await lists.listFor(autocommit, user, query), query.limit, lists.cursorIn(lists.sortFor(user, query)))

/** For the tester's dashboard: the length of the list, counted up to `most`. */
export const countAvailable = (tx: Tx, testerId: string, most: number): Promise<number> =>
  lists.countAvailable(tx, testerId, most)

/** For a list of one status: asking it for another status gives an empty page. */
const ofStatus = async <Q extends { status?: CampaignStatus | undefined }>(
  { status, ...query }: Q,
  held: CampaignStatus,
  rows: (query: Omit<Q, 'status'>) => Promise<queries.CampaignRow[]>,
) => (status === undefined || status === held ? rows(query) : [])

export const available = async (user: SignedIn, query: AvailableQuery): Promise<Page<Campaign>> =>
  toPage(
    user,
    await ofStatus(query, 'LIVE', rest => lists.listAvailable(autocommit, user, rest)),
    query.limit,
    lists.cursorIn(query.sort),
  )

export const pending = async (admin: SignedIn, query: PendingQuery): Promise<Page<Campaign>> =>
  toPage(
    admin,
    await ofStatus(query, 'PENDING_APPROVAL', rest => lists.listPending(autocommit, admin, rest)),
    query.limit,
    ({ submission }) => String(submission),
  )

export const pendingLinks = async (admin: SignedIn, query: PendingQuery): Promise<Page<Campaign>> =>
  toPage(admin, await lists.listPendingLinks(autocommit, admin, query), query.limit, row => String(row.linkRequest))

/**
 * Includes the payment that the campaign waits for (admins see that there is one; the owner also gets the address to make it), why
 * the latest one was declined, and what the owner has to settle before paying.
 */
export const get = async (user: SignedIn, id: string, tx: Tx = autocommit): Promise<Campaign> => {
  const row = await queries.campaignFor(tx, user, id)
  const campaign = toCampaign(user, row)
  const mayWait = row.status === 'DRAFT' || campaign.renewal !== null
  const viewer = viewerOf(user, row)
  if (!mayWait || (viewer !== 'OWNER' && viewer !== 'ADMIN')) return campaign
  const [{ payment, declinedPayment }, owedCents] = await Promise.all([
    ledger.paymentFor(tx, id),
    viewer === 'OWNER' ? ledger.owedBy(tx, user.id) : 0,
  ])
  return {
    ...campaign,
    ...(payment && { payment: viewer === 'OWNER' ? payment : { ...payment, checkoutUrl: null } }),
    ...(declinedPayment && { declinedPayment }),
    ...(owedCents > 0 && { owedCents }),
  }
}

/** For other slices. NOT_FOUND unless the caller may see the campaign. */
export const assertVisible = async (user: SignedIn, id: string): Promise<void> => {
  await queries.campaignFor(autocommit, user, id)
}
