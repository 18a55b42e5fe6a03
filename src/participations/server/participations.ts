/** Participations as users may see them, and what other slices need from them (product.md §3). */
import { clock, dayAfter, dayIn, type Instant } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { notFound } from '../../kit/errors.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { assertVisible } from '../../campaigns/server/campaigns.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import type { CampaignTester } from '../contract.ts'
import { deadlineOf } from '../deadlines.ts'
import { asksForCheckIn, nextStepOf } from '../optIn.ts'
import { aliasOf, lifecycle } from '../rules.ts'
import { leaveAllBenches } from './bench.ts'
import { entriesOf, entryOf } from './bench.queries.ts'
import { dropWords } from '../dropWords.ts'
import * as queries from './queries.ts'
import { seatOf } from './seatFacts.ts'
import type { NextStep } from '../terms.ts'
import { ofEntry, toTester } from './shown.ts'

export { daysOf } from './rows.ts'
export { turnBenches } from './bench.ts'
export { remindTesters } from './reminding.ts'
export { settleDowntimes } from './settling.ts'
export { setListed } from './listing.ts'
export { lookAtAppeals, useReported } from './goodwill.ts'
export { tellOfOpened } from './waiting.ts'
export { useCosts, wakeParticipations, type Warned } from './waking.ts'

/** A participation that the caller may see, or the caller's bench entry. NOT_FOUND for any other. */
export const get = async (user: SignedIn, id: string, tx: Tx = autocommit): Promise<CampaignTester> => {
  const row = await queries.wholeFor(tx, user, id)
  if (row) return toTester(user, row)
  const entry = user.role === 'TESTER' ? await entryOf(tx, user.id, id) : undefined
  if (!entry) throw notFound('Test')
  return ofEntry(entry)
}

/** Tests and bench entries, newest first. */
export const mine = async (tester: SignedIn, query: queries.OwnQuery): Promise<Page<CampaignTester>> => {
  const { status, limit } = query
  const onBench = status === undefined || status === 'WAITLISTED'
  const [entries, tests] = await Promise.all([
    onBench ? entriesOf(autocommit, tester.id, query) : [],
    status === 'WAITLISTED' ? [] : queries.listOwn(autocommit, tester.id, query),
  ])
  const items = [...entries.map(ofEntry), ...tests.map(row => toTester(tester, row))].toSorted((a, b) =>
    a.id < b.id ? 1 : -1,
  )
  return { items: items.slice(0, limit), nextCursor: items.length > limit ? (items[limit - 1]?.id ?? null) : null }
}

/** What the tester has to do in a test now. */
export type OpenTest = Pick<queries.ParticipationRow, 'id' | 'status' | 'timeZone' | 'proofAllowedAt'> & {
  campaign: { id: string; title: string }
  nextStep: NextStep | null
  /** Whether a check-in is due tomorrow. */
  checksInTomorrow: boolean
  deadlineAt: Instant | null
}

/** The tests that wait for their tester: for a check-in, an opt-in or a proof. A setting limits their number. */
export const openTestsOf = async (testerId: string): Promise<OpenTest[]> => {
  const rows = await queries.openOf(autocommit, testerId)
  const now = clock.now()
  return rows.map(row => ({
    ...row,
    campaign: { id: row.campaignId, title: row.campaignTitle },
    nextStep: nextStepOf(row, now),
    checksInTomorrow: asksForCheckIn(row, dayAfter(dayIn(row.timeZone, now), 1)),
    deadlineAt: deadlineOf(row),
  }))
}

/** The participations of the caller's own campaign. NOT_FOUND for another developer's. */
export const ofCampaign = async (
  user: SignedIn,
  campaignId: string,
  query: queries.ListQuery,
): Promise<Page<CampaignTester>> => {
  const rows = await queries.listOfCampaign(autocommit, user, campaignId, query)
  // Either the campaign has no such tests, or it is not the caller's.
  if (rows.length === 0) await assertVisible(user, campaignId)
  return {
    items: rows.slice(0, query.limit).map(row => toTester(user, row)),
    nextCursor: rows.length > query.limit ? (rows[query.limit - 1]?.id ?? null) : null,
  }
}

/** Drops a suspended tester from every campaign; submitted proofs are still reviewed. */
export const dropForSuspension = async (tx: Tx, testerId: string): Promise<void> => {
  await leaveAllBenches(tx, testerId)
  const open = await queries.openOf(tx, testerId)
  const drops = open.map(({ id }) => ({ id, reason: 'SUSPENDED' }))
  const dropped = new Set(await ledger.dropAll(tx, { from: lifecycle.leave.from, drops, whenDue: false }))
  const notices = open
    .filter(({ id }) => dropped.has(id))
    .map(row => {
      const { id: testId, developerId, campaignId, campaignTitle: title, ordinal, dropHours } = row
      const facts = { campaignId, testId, title, alias: aliasOf(ordinal), why: dropWords.SUSPENDED(dropHours) }
      return notice(developerId, 'TESTER_DROPPED_OWNER', { ...facts, ...seatOf(row) })
    })
  await notifyMany(tx, notices)
}
