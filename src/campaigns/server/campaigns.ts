/** Use cases of campaigns (product.md §2). */
import { randomUUIDv7 } from 'node:crypto'
import { countryCodeOf } from '../../kit/countries.ts'
import { assertActive, assertActiveAlone, assertConfirmed } from '../../accounts/server/accounts.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { outcomeOf } from '../../kit/server/transaction.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type {
  AvailableQuery,
  Campaign,
  CampaignChange,
  NewCampaign,
  NewCampaignTerms,
  PendingQuery,
  SortedCampaignQuery,
} from '../contract.ts'
import {
  assertAccessFits,
  assertCan,
  assertChangeFits,
  assertFundable,
  assertMayDraft,
  assertRenewable,
  isRunning,
} from '../rules.ts'
import { quote } from '../quote.ts'
import { dropOutRate, finishedTestsLookedAt } from '../spareSeats.ts'
import type { AccessMode } from '../terms.ts'
import { act } from './act.ts'
import * as bench from './bench.queries.ts'
import { cancelNow } from './cancelling.ts'
import { recordEdit } from './edits.ts'
import { requestLinks } from './links.ts'
import * as lists from './lists.queries.ts'
import * as queries from './queries.ts'
import { situationOf, toCampaign, viewerOf } from './toCampaign.ts'

export { completeCampaigns } from './completing.ts'
export { agingNow } from './escrow.ts'
export { approveLink, rejectLink } from './links.ts'
export { matchingOwn } from './lists.queries.ts'

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
  toPage(user, await lists.listFor(autocommit, user, query), query.limit)

/** For the tester's dashboard: as many as the list has, counted up to `most`. */
export const countAvailable = (tx: Tx, testerId: string, most: number): Promise<number> =>
  lists.countAvailable(tx, testerId, most)

export const available = async (user: SignedIn, query: AvailableQuery): Promise<Page<Campaign>> =>
  toPage(user, await lists.listAvailable(autocommit, user, query), query.limit)

export const pending = async (admin: SignedIn, query: PendingQuery): Promise<Page<Campaign>> =>
  toPage(admin, await lists.listPending(autocommit, admin, query), query.limit, ({ submission }) => String(submission))

export const pendingLinks = async (admin: SignedIn, query: PendingQuery): Promise<Page<Campaign>> =>
  toPage(admin, await lists.listPendingLinks(autocommit, admin, query), query.limit, row => String(row.linkRequest))

/**
 * With the payment that the campaign waits for: an admin reads that there is one, its owner also where it is made. And with what
 * keeps the owner from paying.
 */
export const get = async (user: SignedIn, id: string, tx: Tx = autocommit): Promise<Campaign> => {
  const row = await queries.campaignFor(tx, user, id)
  const campaign = toCampaign(user, row)
  const mayWait = row.status === 'DRAFT' || campaign.renewal !== null
  const viewer = viewerOf(user, row)
  if (!mayWait || (viewer !== 'OWNER' && viewer !== 'ADMIN')) return campaign
  const [payment, owedCents] = await Promise.all([
    ledger.waitingPayment(tx, id),
    viewer === 'OWNER' ? ledger.owedBy(tx, user.id) : 0,
  ])
  return {
    ...campaign,
    ...(payment && { payment: viewer === 'OWNER' ? payment : { ...payment, checkoutUrl: null } }),
    ...(owedCents > 0 && { owedCents }),
  }
}

const countryCodesOf = (countries: readonly string[]) => [
  ...new Set(countries.map(countryCodeOf).filter(code => code !== null)),
]

/** A group's link means something with a group only. */
const withGroup = <T extends { accessMode: AccessMode; groupLink: string | null }>(terms: T): T =>
  terms.accessMode === 'GOOGLE_GROUP' ? terms : { ...terms, groupLink: null }

export const newTerms = async (): Promise<NewCampaignTerms> => {
  const [settings, finished] = await Promise.all([
    currentSettings(autocommit),
    queries.finishedTests(autocommit, finishedTestsLookedAt),
  ])
  return { ...settings, dropOuts: dropOutRate(finished) }
}

export const create = (developer: SignedIn, draft: NewCampaign, key: string | null = null): Promise<Campaign> => {
  const id = randomUUIDv7()
  return transactOnce({
    userId: developer.id,
    key,
    call: 'create-campaign',
    asked: draft,
    subjectId: id,
    effect: async tx => {
      const { filters, ...terms } = withGroup(draft)
      assertAccessFits(terms)
      const settings = await currentSettings(tx)
      await assertActiveAlone(tx, developer.id)
      assertMayDraft(await queries.countDrafts(tx, developer.id), settings.draftsPerDeveloper)
      await queries.insertDraft(tx, {
        ...terms,
        ...filters,
        // Copied, so that a later change of the settings does not affect this campaign (product.md §7).
        ...settings,
        id,
        developerId: developer.id,
        countryCodes: countryCodesOf(filters.countries),
        quotedFeeCents: quote(terms.testersRequired, terms.payPerTesterCents, settings.feeBasisPoints).quotedFeeCents,
        createdAt: clock.now(),
      })
    },
    answer: campaignId => get(developer, campaignId),
  })
}

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
      assertPayable(situationOf(outcomeOf(campaign)), amountCents)
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

/** For other slices: not found unless the caller may see the campaign. */
export const assertVisible = async (user: SignedIn, id: string): Promise<void> => {
  await queries.campaignFor(autocommit, user, id)
}

/** New terms for a draft, or new texts while it runs; then new links wait for an admin. Concurrent edits are merged field by field. */
export const update = (developer: SignedIn, id: string, change: CampaignChange): Promise<Campaign> =>
  act(developer, id, 'update', async (tx, row) => {
    assertChangeFits(row.status, change)
    assertAccessFits({ ...row, ...change })
    const changed = await recordEdit(tx, row, change, clock.now())
    if (isRunning(row.status)) {
      // The provider's page names the campaign. Nothing else that may change now has to do with a payment.
      if (change.title !== undefined && change.title !== row.title) await ledger.endCharges(tx, id)
      await queries.changeTexts(tx, id, { ...row, ...change })
      return requestLinks(
        tx,
        row,
        withGroup({ ...change, accessMode: row.accessMode, groupLink: change.groupLink ?? null }),
      )
    }
    // What was wrong with a rejected campaign may lie outside of it: a link that works again, its NDA or its feedback form.
    if (changed || row.status === 'REJECTED') await changeTerms(tx, row, change)
  })

const changeTerms = async (tx: Tx, row: queries.CampaignRow, change: CampaignChange): Promise<void> => {
  const { filters, ...changed } = change
  const terms = withGroup({ ...row, ...changed, ...filters })
  const { quotedFeeCents } = quote(terms.testersRequired, terms.payPerTesterCents, row.feeBasisPoints)
  await ledger.endCharges(tx, row.id)
  const next = { ...terms, quotedFeeCents, countryCodes: countryCodesOf(terms.countries) }
  const outcome = await ledger.withRefund(tx, refundId => queries.changeTerms(tx, row.id, next, refundId, clock.now()))
  if (outcome !== 'OK') throw new Error(`the edit of ${row.id} was refused with ${outcome} against its rule`)
}

export const submit = (developer: SignedIn, id: string): Promise<Campaign> =>
  act(developer, id, 'submit', tx => queries.submit(tx, id, clock.now()))

export const approve = (admin: SignedIn, id: string): Promise<Campaign> =>
  act(admin, id, 'approve', async (tx, { title, developerId }) => {
    await queries.setStatus(tx, id, 'APPROVED', clock.now())
    await auditIfAdmin(tx, admin, { action: 'campaign.approve', subjectType: 'campaign', subjectId: id })
    await notify(tx, developerId, 'CAMPAIGN_APPROVED', { campaignId: id, title })
  })

export const reject = (admin: SignedIn, id: string, reason: string): Promise<Campaign> =>
  act(admin, id, 'reject', async (tx, { title, developerId }) => {
    await queries.setRejected(tx, id, reason, clock.now())
    await auditIfAdmin(tx, admin, {
      action: 'campaign.reject',
      subjectType: 'campaign',
      subjectId: id,
      facts: { reason },
    })
    await notify(tx, developerId, 'CAMPAIGN_REJECTED', { campaignId: id, title, reason })
  })

export const start = (developer: SignedIn, id: string): Promise<Campaign> =>
  act(
    developer,
    id,
    'start',
    async tx => {
      await queries.setLive(tx, id, clock.now())
      await bench.offerSeats(tx, id, clock.now())
    },
    tx => assertActive(tx, developer.id),
  )

export const pause = (user: SignedIn, id: string): Promise<Campaign> =>
  act(user, id, 'pause', async tx => {
    await queries.setStatus(tx, id, 'PAUSED', clock.now())
    await auditIfAdmin(tx, user, { action: 'campaign.pause', subjectType: 'campaign', subjectId: id })
  })

export const cancel = (user: SignedIn, id: string, key: string | null): Promise<Campaign> =>
  transactOnce({
    userId: user.id,
    key,
    call: 'cancel',
    asked: { id },
    subjectId: id,
    effect: tx => cancelNow(tx, user, id),
    answer: campaignId => get(user, campaignId),
  })

/** Of seats that two people want to close, or one that a tester takes meanwhile, the last goes to whoever comes first. */
export const closeSeat = (developer: SignedIn, id: string, key: string | null): Promise<Campaign> =>
  transactOnce({
    userId: developer.id,
    key,
    call: 'close-seat',
    asked: { id },
    subjectId: id,
    effect: async tx => {
      const may = async () => assertCan('closeSeat', 'OWNER', situationOf(await queries.campaignFor(tx, developer, id)))
      await may()
      if ((await ledger.closeFreeSeat(tx, id)) === 'OK') return
      await may()
      throw new Error(`closing a seat of ${id} was refused against its rule`)
    },
    answer: campaignId => get(developer, campaignId),
  })

export const pauseForSuspension = (tx: Tx, developerId: string): Promise<number> =>
  queries.pauseLiveOf(tx, developerId, clock.now())
