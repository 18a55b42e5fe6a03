/** Use cases of campaigns (product.md §2). */
import { randomUUIDv7 } from 'node:crypto'
import { countryCodeOf } from '../../kit/countries.ts'
import { assertActive, assertActiveAlone } from '../../accounts/server/accounts.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { clock, hoursAfter, type Instant } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notice, notify, notifyMany, toldUnread } from '../../notifications/server/notifications.ts'
import type { Campaign, CampaignChange, NewCampaign, NewCampaignTerms } from '../contract.ts'
import {
  assertAccessFits,
  assertCan,
  assertChangeFits,
  assertMayDraft,
  assertSubmissionWaits,
  isRunning,
} from '../rules.ts'
import { quote } from '../quote.ts'
import { dropOutRate, finishedTestsLookedAt } from '../spareSeats.ts'
import type { AccessMode } from '../terms.ts'
import { act } from './act.ts'
import * as bench from './bench.queries.ts'
import { cancelNow } from './cancelling.ts'
import { filtersOf, recordEdit } from './edits.ts'
import { requestLinks } from './links.ts'
import { othersWithin, testsUnderWay } from './links.queries.ts'
import * as queries from './queries.ts'
import { get } from './reading.ts'
import { situationOf } from './toCampaign.ts'

export { completeCampaigns } from './completing.ts'
export { agingNow } from './escrow.ts'
export { approveLink, rejectLink } from './links.ts'
export { matchingOwn } from './lists.queries.ts'
export { fund, renew } from './paying.ts'
export { assertVisible, available, countAvailable, get, list, pending, pendingLinks } from './reading.ts'

const countryCodesOf = (countries: readonly string[]) => [
  ...new Set(countries.map(countryCodeOf).filter(code => code !== null)),
]

/** Drops the group's link unless testers get in through a group. */
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

/**
 * Changes the terms of a draft. While the campaign runs: its texts, and its links, which wait for an admin. Merges concurrent
 * edits field by field.
 */
export const update = (developer: SignedIn, id: string, asked: CampaignChange): Promise<Campaign> =>
  act(developer, id, 'update', async (tx, row) => {
    const change = { ...asked, ...(asked.filters && { filters: { ...filtersOf(row), ...asked.filters } }) }
    assertChangeFits(row.status, change)
    assertAccessFits({ ...row, ...change })
    const changed = await recordEdit(tx, row, change, clock.now())
    if (isRunning(row.status)) {
      // The provider's page shows the title. No other field that may change now affects a payment.
      if (change.title !== undefined && change.title !== row.title) await ledger.endCharges(tx, id)
      await queries.changeTexts(tx, id, { ...row, ...change })
      await tellOfTexts(tx, row, change)
      return requestLinks(
        tx,
        row,
        withGroup({ ...change, accessMode: row.accessMode, groupLink: change.groupLink ?? null }),
      )
    }
    // A rejected campaign may have been mended elsewhere: the link works again, or the NDA or the feedback form has changed.
    if (changed || row.status === 'REJECTED') await changeTerms(tx, row, change)
  })

/**
 * An unread notification already leads to the newest text, so a developer who edits again and again does not fill anybody's list.
 */
const toldEveryHours = 1
const isOtherText = (one: string, other: string) =>
  one.replaceAll(/\s+/g, ' ').trim() !== other.replaceAll(/\s+/g, ' ').trim()

/** Tells everybody who is in the campaign or waits for a seat its new title, and its testers that what to test has changed. */
const tellOfTexts = async (tx: Tx, row: queries.CampaignRow, change: CampaignChange): Promise<void> => {
  const { title = row.title, description = row.description } = change
  const oldTitle = isOtherText(title, row.title) ? row.title : null
  const described = isOtherText(description, row.description)
  if (oldTitle === null && !described) return
  const tests = await testsUnderWay(tx, row.id)
  const others = oldTitle === null ? [] : await othersWithin(tx, row.id)
  const told = await toldUnread(tx, {
    userIds: [...tests, ...others].map(({ testerId }) => testerId),
    campaignId: row.id,
    kind: 'TEXTS_CHANGED',
    since: hoursAfter(clock.now(), -toldEveryHours),
  })
  const noticesFor = (people: typeof tests, facts: { oldTitle: string | null; described: boolean }) =>
    people
      .filter(({ testerId }) => !told.some(({ id }) => id === testerId))
      .map(({ id: testId, testerId }) => notice(testerId, 'TEXTS_CHANGED', { testId, title, ...facts }))
  await notifyMany(tx, [
    ...noticesFor(tests, { oldTitle, described }),
    ...noticesFor(others, { oldTitle, described: false }),
  ])
}

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

/** What testers are asked besides the terms, the NDA or the feedback form, has changed: an admin who decides has to see it. */
export const changedBesides = async (tx: Tx, id: string): Promise<void> => {
  await queries.submitAnew(tx, id, clock.now())
}

type SeenSubmission = { submittedAt?: Instant | undefined }

export const approve = (admin: SignedIn, id: string, seen: SeenSubmission = {}): Promise<Campaign> =>
  act(admin, id, 'approve', async (tx, { title, developerId, disputedSince, submittedAt }) => {
    assertSubmissionWaits(submittedAt, seen.submittedAt)
    await queries.setStatus(tx, id, 'APPROVED', clock.now())
    await auditIfAdmin(tx, admin, { action: 'campaign.approve', subjectType: 'campaign', subjectId: id })
    await notify(tx, developerId, 'CAMPAIGN_APPROVED', { campaignId: id, title, disputed: disputedSince !== null })
  })

export const reject = (admin: SignedIn, id: string, reason: string, seen: SeenSubmission = {}): Promise<Campaign> =>
  act(admin, id, 'reject', async (tx, { title, developerId, submittedAt }) => {
    assertSubmissionWaits(submittedAt, seen.submittedAt)
    await queries.setRejected(tx, id, reason, clock.now())
    await ledger.endRefusedRenewals(tx, id)
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
  act(user, id, 'pause', async (tx, { title, developerId }) => {
    const byAdmin = user.id !== developerId
    await queries.setPaused(tx, id, byAdmin ? 'ADMIN' : null, clock.now())
    await auditIfAdmin(tx, user, { action: 'campaign.pause', subjectType: 'campaign', subjectId: id })
    if (byAdmin) await notify(tx, developerId, 'CAMPAIGN_PAUSED_OWNER', { campaignId: id, title })
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

/** If two people close the last free seat, or a tester takes it meanwhile, the first one gets it. */
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
