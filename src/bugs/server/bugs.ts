/** Use cases of bugs: reading, reporting, the thread, and files for a tracker. Decisions are in deciding.ts. */
import { randomUUIDv7 } from 'node:crypto'
import { hangOnBug } from '../../attachments/server/attachments.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { assertVisible } from '../../campaigns/server/campaigns.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { FileReply, Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { notify, notifyMany, notice } from '../../notifications/server/notifications.ts'
import { aliasOf } from '../../participations/rules.ts'
import type { Bug, BugQuery, BugSummary, BugComment, KnownBug, NewBug, SimilarQuery } from '../contract.ts'
import { bugCsvHead, bugCsvRow } from '../csv.ts'
import { assertDoorIsOpen, assertMay, assertMayReport, assertMayWrite, isCounted, isOutside } from '../rules.ts'
import { type BugTextForm, fewestSimilarLetters } from '../terms.ts'
import { markdownOf, titleOfAll } from '../trackerText.ts'
import * as deciding from './deciding.queries.ts'
import * as queries from './queries.ts'
import { get, situationOf, toKnown, toSummary } from './shown.ts'

export { fixBugs } from './deciding.ts'
export { canTestAgain } from './queries.ts'

/**
 * For a tester who has, or had, a seat in this campaign: whether they have left, or their NDA is not accepted. For anyone else the
 * campaign is not found.
 */
export const standsOutside = async (tx: Tx, testerId: string, campaignId: string): Promise<boolean> =>
  isOutside(await queries.doorOf(tx, testerId, campaignId))

export const list = async (user: SignedIn, campaignId: string, query: BugQuery): Promise<Page<BugSummary>> => {
  const rows = await queries.bugsOf(autocommit, user, campaignId, query)
  // No such bugs, or a campaign that the caller may not see.
  if (rows.length === 0) await assertVisible(user, campaignId)
  return {
    items: rows.slice(0, query.limit).map(row => toSummary(user, row)),
    nextCursor: rows.length > query.limit ? (rows[query.limit - 1]?.id ?? null) : null,
  }
}

/** Helps testers of the campaign not to report the same bug twice. Nobody else hears of its bugs. */
export const similar = async (user: SignedIn, campaignId: string, query: SimilarQuery): Promise<KnownBug[]> => {
  if (user.role !== 'TESTER') await assertVisible(user, campaignId)
  else assertDoorIsOpen(await queries.doorOf(autocommit, user.id, campaignId))
  if (query.title.length < fewestSimilarLetters) return []
  return (await queries.similarBugs(autocommit, user.id, campaignId, query)).map(row => toKnown(user, row))
}

export const report = (tester: SignedIn, campaignId: string, bug: NewBug, key: string | null): Promise<Bug> => {
  const id = randomUUIDv7()
  return transactOnce({
    userId: tester.id,
    key,
    call: 'report-bug',
    asked: { campaignId, ...bug },
    subjectId: id,
    effect: async tx => {
      const now = clock.now()
      const { attachmentIds = [], ...said } = bug
      const test = await queries.lockTestOf(tx, tester.id, campaignId, hoursAfter(now, -24))
      assertMayReport(test)
      const number = await queries.nextNumber(tx, campaignId)
      await queries.insertBug(tx, { ...said, id, campaignId, participationId: test.id, number, now })
      const eventId = await queries.insertEvent(tx, { bugId: id, by: tester, now, kind: 'REPORTED' })
      await hangOnBug(tx, tester.id, { participationId: test.id, bugEventId: eventId }, attachmentIds)
      const { title, severity } = bug
      const facts = { bugId: id, campaign: test.campaignTitle, number, bug: title }
      await notify(tx, test.developerId, 'BUG_REPORTED', { ...facts, alias: aliasOf(test.ordinal), severity })
    },
    answer: bugId => get(tester, bugId),
  })
}

const nameOf = (user: SignedIn, { ordinal }: queries.BugRow) =>
  ({ TESTER: aliasOf(ordinal), DEVELOPER: 'The developer', ADMIN: 'Fieldtest' })[user.role]

export const comment = (
  user: SignedIn,
  id: string,
  { text, attachmentIds = [] }: BugComment,
  key: string | null,
): Promise<Bug> =>
  transactOnce({
    userId: user.id,
    key,
    call: 'comment-bug',
    asked: { id, text, attachmentIds },
    subjectId: id,
    effect: async tx => {
      if (isCounted(user.role)) await queries.lockAuthor(tx, user.id)
      const { campaignId } = await queries.bugFor(tx, user, id)
      await deciding.lockBugsOf(tx, campaignId)
      const bug = await queries.bugFor(tx, user, id)
      assertMay('comment', situationOf(bug))
      const now = clock.now()
      if (isCounted(user.role)) assertMayWrite(user.role, await queries.writtenSince(tx, user.id, hoursAfter(now, -24)))
      const eventId = await queries.insertEvent(tx, { bugId: id, by: user, now, kind: 'COMMENTED', text })
      await hangOnBug(tx, user.id, { participationId: bug.testId, bugEventId: eventId }, attachmentIds)
      await deciding.addComment(tx, id, now)
      await auditIfAdmin(tx, user, {
        action: 'bug.comment',
        subjectType: 'campaign',
        subjectId: campaignId,
        facts: { bug: `#${bug.number} ${bug.title}` },
      })
      // Everyone but the author.
      const others = [bug.developerId, bug.testerId].filter(each => each !== user.id)
      const facts = { bugId: id, campaign: bug.campaignTitle, number: bug.number, bug: bug.title }
      const said = { ...facts, from: nameOf(user, bug), text, files: attachmentIds.length }
      await notifyMany(
        tx,
        others.map(each => notice(each, 'BUG_COMMENTED', said)),
      )
    },
    answer: bugId => get(user, bugId),
  })

const atOnce = 200

/** Reads one page after another, so that a file is never held in memory as a whole. */
async function* inPages(
  user: SignedIn,
  campaignId: string,
  { head, lineOf }: { head: string; lineOf: (row: queries.BugRow) => string },
) {
  const encoder = new TextEncoder()
  yield encoder.encode(head)
  for (let last = 0, more = true; more;) {
    const rows = await queries.bugsAfter(autocommit, user, campaignId, { number: last, limit: atOnce })
    if (rows.length > 0) yield encoder.encode(rows.map(lineOf).join(''))
    last = rows.at(-1)?.number ?? last
    more = rows.length === atOnce
  }
}

export const csv = async (user: SignedIn, campaignId: string): Promise<FileReply> => {
  await assertVisible(user, campaignId)
  const content = inPages(user, campaignId, {
    head: bugCsvHead,
    lineOf: row => bugCsvRow(toSummaryWithTexts(user, row)),
  })
  return { type: 'text/csv; charset=utf-8', content, downloadAs: 'bugs.csv' }
}

const toSummaryWithTexts = (user: SignedIn, row: queries.BugRow) => ({
  ...toSummary(user, row),
  steps: row.steps,
  expected: row.expected,
  actual: row.actual,
})

export const text = async (user: SignedIn, campaignId: string, form: BugTextForm = 'markdown'): Promise<FileReply> => {
  await assertVisible(user, campaignId)
  const content = inPages(user, campaignId, {
    head: titleOfAll,
    lineOf: row => `\n${markdownOf(toSummaryWithTexts(user, row), form, 'titled')}`,
  })
  return { type: 'text/markdown; charset=utf-8', content, downloadAs: 'bugs.md' }
}
