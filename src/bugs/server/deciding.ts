/** Decisions on bugs, and what testers find when they look again. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import { aliasOf } from '../../participations/rules.ts'
import type { Bug, BugChange, BugRetest } from '../contract.ts'
import {
  actionTo,
  assertMay,
  assertMayDecide,
  assertMayWrite,
  assertOriginal,
  isCounted,
  isOutside,
  severityWords,
  statusWords,
} from '../rules.ts'
import type { BugEventKind, BugSeverity, BugStatus } from '../terms.ts'
import * as deciding from './deciding.queries.ts'
import * as queries from './queries.ts'
import { get, situationOf } from './shown.ts'

/** Returns the bug after locking the campaign's bugs, so that nobody else decides on them meanwhile. */
const lockBug = async (tx: Tx, user: SignedIn, id: string): Promise<queries.BugRow> => {
  const { campaignId } = await queries.bugFor(tx, user, id)
  await deciding.lockBugsOf(tx, campaignId)
  return queries.bugFor(tx, user, id)
}

const factsOf = ({ id: bugId, campaignTitle: campaign, number, title: bug }: queries.BugRow) => ({
  bugId,
  campaign,
  number,
  bug,
})

/** Testers are told of each decision, also by email, so their number is limited. */
const assertFewDecisions = async (tx: Tx, user: SignedIn, { id, number }: queries.BugRow): Promise<void> => {
  assertMayWrite(user.role, await queries.writtenSince(tx, user.id, hoursAfter(clock.now(), -24)))
  assertMayDecide(number, await queries.countDecisions(tx, id))
}

export const change = (user: SignedIn, id: string, asked: BugChange): Promise<Bug> =>
  transact(async tx => {
    if (isCounted(user.role)) await queries.lockAuthor(tx, user.id)
    const bug = await lockBug(tx, user, id)
    if (isCounted(user.role)) await assertFewDecisions(tx, user, bug)
    const { status, severity, note = '' } = asked
    if (severity !== undefined && severity !== bug.severity) await rate(tx, user, bug, severity, status ? '' : note)
    if (status !== undefined) await decide(tx, user, bug, { ...asked, status })
    return get(user, id, tx)
  })

/** Tells the tester, and also the owner if an admin did it. */
const tell = async (tx: Tx, user: SignedIn, bug: queries.BugRow, what: string, note: string) => {
  await auditIfAdmin(tx, user, {
    action: 'bug.change',
    subjectType: 'campaign',
    subjectId: bug.campaignId,
    facts: { bug: `#${bug.number} ${bug.title}`, change: what, ...(note && { note }) },
  })
  const to = user.role === 'ADMIN' ? [bug.testerId, bug.developerId] : [bug.testerId]
  await notifyMany(
    tx,
    to.map(each => notice(each, 'BUG_CHANGED', { ...factsOf(bug), what, note, byAdmin: each === bug.developerId })),
  )
}

const rate = async (
  tx: Tx,
  user: SignedIn,
  bug: queries.BugRow,
  severity: BugSeverity,
  note: string,
): Promise<void> => {
  const now = clock.now()
  assertMay('setSeverity', situationOf(bug))
  await deciding.setSeverity(tx, bug.id, severity, now)
  await queries.insertEvent(tx, { bugId: bug.id, by: user, now, kind: 'SEVERITY_CHANGED', severity, text: note })
  await tell(tx, user, bug, `has a new severity: ${severityWords[severity].toLowerCase()}`, note)
}

const eventTo = {
  OPEN: 'REOPENED',
  CONFIRMED: 'CONFIRMED',
  DUPLICATE: 'MARKED_DUPLICATE',
  FIXED: 'FIXED',
  WONT_FIX: 'WONT_FIX',
} as const satisfies Record<BugStatus, BugEventKind>

type Decision = BugChange & { status: BugStatus }

const decide = async (tx: Tx, user: SignedIn, bug: queries.BugRow, asked: Decision): Promise<void> => {
  const { status, note = '' } = asked
  assertMay(actionTo[status], situationOf(bug))
  const now = clock.now()
  const by = { bugId: bug.id, by: user, now, text: note }
  if (status === 'DUPLICATE') return markDuplicate(tx, user, bug, asked)
  if (status === 'FIXED') return fixOne(tx, user, bug, { version: asked.fixedIn!, note })
  await deciding.setStatus(tx, [bug.id], { status, duplicateOf: null, fixedIn: null, now })
  if (status === 'OPEN') await deciding.withdrawRetests(tx, bug.id, now)
  await queries.insertEvent(tx, { ...by, kind: eventTo[status] })
  await tell(
    tx,
    user,
    bug,
    status === 'OPEN' ? 'is open again' : `is now marked as ${statusWords[status].toLowerCase()}`,
    note,
  )
}

const markDuplicate = async (tx: Tx, user: SignedIn, bug: queries.BugRow, { duplicateOf, note = '' }: Decision) => {
  const now = clock.now()
  const original = await deciding.originalOf(tx, bug.campaignId, duplicateOf!)
  assertOriginal(bug, original)
  const { id, number, fixedIn } = original!
  await deciding.setStatus(tx, [bug.id], { status: 'DUPLICATE', duplicateOf: id, fixedIn: null, now })
  const moved = await deciding.moveDuplicates(tx, bug.id, id, now)
  const marked = { by: user, now, kind: 'MARKED_DUPLICATE', duplicateOf: number } as const
  await queries.insertEvent(tx, { ...marked, bugId: bug.id, text: note })
  await tell(tx, user, bug, duplicateWords(bug, original!), note)
  await tellMoved(tx, bug, moved, { marked, original: original! })
  // The original is already fixed, so everyone who reported the same can retest right away.
  if (fixedIn !== null) await askAll(tx, bug, await deciding.reportersAmong(tx, [bug.id, ...moved]), fixedIn)
}

/** A tester who has left, or whose NDA is not accepted, does not see the title that others gave it. */
const duplicateWords = (
  { testerId, door }: Pick<deciding.Reporter, 'testerId' | 'door'>,
  original: deciding.OriginalRow,
): string => {
  const mayKnow = original.testerId === testerId || !isOutside(door)
  return `is a duplicate of #${original.number}${mayKnow ? ` “${original.title}”` : ''}`
}

type Marked = Omit<queries.NewEvent, 'bugId' | 'text'>

/**
 * Tells the reporters of the bug's former duplicates that they have a new original. They do not get the note, which was for the
 * bug's own tester.
 */
const tellMoved = async (
  tx: Tx,
  { campaignTitle: campaign }: queries.BugRow,
  moved: readonly string[],
  { marked, original }: { marked: Marked; original: deciding.OriginalRow },
): Promise<void> => {
  if (moved.length === 0) return
  await queries.insertEvents(tx, moved, marked)
  await notifyMany(
    tx,
    (await deciding.reportersAmong(tx, moved)).map(reporter => {
      const { bugId, number, title: bug, testerId } = reporter
      const what = duplicateWords(reporter, original)
      return notice(testerId, 'BUG_CHANGED', { bugId, campaign, number, bug, what, note: '' })
    }),
  )
}

/** Asks them to retest in this version. Those who cannot are only told, and we do not wait for them. */
const askAll = async (
  tx: Tx,
  { campaignTitle: campaign }: queries.BugRow,
  reporters: readonly deciding.Reporter[],
  version: string,
  note = '',
): Promise<void> => {
  await deciding.askRetests(tx, reporters, version, clock.now())
  await notifyMany(
    tx,
    reporters.map(({ bugId, number, title: bug, testerId, canTestAgain }) => {
      const facts = { bugId, campaign, number, bug, note }
      return canTestAgain
        ? notice(testerId, 'RETEST_ASKED', { ...facts, version })
        : notice(testerId, 'BUG_CHANGED', { ...facts, what: `is fixed in ${version}` })
    }),
  )
}

type Fix = { version: string; note: string }

/** Asks everyone who reported one of these bugs, or a duplicate of it, to retest. */
const fix = async (tx: Tx, user: SignedIn, bugs: readonly queries.BugRow[], { version, note }: Fix): Promise<void> => {
  const [first] = bugs
  if (!first) return
  const now = clock.now()
  const ids = bugs.map(({ id }) => id)
  await deciding.setStatus(tx, ids, { status: 'FIXED', duplicateOf: null, fixedIn: version, now })
  await queries.insertEvents(tx, ids, { by: user, now, kind: 'FIXED', version, text: note })
  const also = await deciding.duplicateIdsOf(tx, ids)
  await askAll(tx, first, await deciding.reportersAmong(tx, [...ids, ...also]), version, note)
}

/** Asks its testers to retest, and tells the owner if an admin did it. */
const fixOne = async (tx: Tx, user: SignedIn, bug: queries.BugRow, fixed: Fix): Promise<void> => {
  const { version, note } = fixed
  await fix(tx, user, [bug], fixed)
  await auditIfAdmin(tx, user, {
    action: 'bug.change',
    subjectType: 'campaign',
    subjectId: bug.campaignId,
    facts: { bug: `#${bug.number} ${bug.title}`, change: `is fixed in ${version}`, ...(note && { note }) },
  })
  if (user.role === 'ADMIN')
    await notify(tx, bug.developerId, 'BUG_CHANGED', {
      ...factsOf(bug),
      what: `is fixed in ${version}`,
      note,
      byAdmin: true,
    })
}

type Answered = Fix & {
  bugIds: readonly string[]
  /** The field in which the caller named them. */
  field: string
}

/** For the change log, once the campaign is locked. A bug that is already fixed in this version stays as it is. */
export const fixBugs = async (
  tx: Tx,
  user: SignedIn,
  campaignId: string,
  { bugIds, field, ...fixed }: Answered,
): Promise<void> => {
  if (bugIds.length === 0) return
  await deciding.lockBugsOf(tx, campaignId)
  const found = new Map((await queries.bugsAmong(tx, user, campaignId, bugIds)).map(bug => [bug.id, bug]))
  const bugs = bugIds.map(id => {
    const bug = found.get(id)
    if (!bug) throw answersNothing(field, 'There is no such bug in this campaign.')
    if (bug.original) throw answersNothing(field, `#${bug.number} is a duplicate. Choose #${bug.original.number}.`)
    return bug
  })
  const broken = bugs.filter(
    ({ status, fixedIn }) => status !== 'FIXED' || fixedIn?.toLowerCase() !== fixed.version.toLowerCase(),
  )
  for (const bug of broken) assertMay('markFixed', situationOf(bug))
  await fix(tx, user, broken, fixed)
}

const answersNothing = (field: string, message: string) =>
  new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })

/** If it is still broken, the bug, or its original, is reopened, and nobody else has to look. */
export const retest = (
  tester: SignedIn,
  id: string,
  { result, note = '' }: BugRetest,
  key: string | null = null,
): Promise<Bug> =>
  transactOnce({
    userId: tester.id,
    key,
    call: 'retest-bug',
    asked: { id, result, note },
    subjectId: id,
    effect: async tx => {
      const bug = await lockBug(tx, tester, id)
      assertMay('retest', situationOf(bug))
      const now = clock.now()
      const { version } = bug.retest!
      const works = result === 'WORKS'
      await deciding.answerRetest(tx, id, result, now)
      const kind = works ? 'RETEST_WORKS' : 'RETEST_BROKEN'
      await queries.insertEvent(tx, { bugId: id, by: tester, now, kind, version, text: note })
      if (!works) await openAgain(tx, tester, bug)
      const found = { alias: aliasOf(bug.ordinal), works, version, note }
      await notify(tx, bug.developerId, 'BUG_RETESTED', { ...factsOf(bug), ...found })
    },
    answer: bugId => get(tester, bugId),
  })

const openAgain = async (tx: Tx, tester: SignedIn, bug: queries.BugRow): Promise<void> => {
  const now = clock.now()
  const id = bug.original?.id ?? bug.id
  await deciding.setStatus(tx, [id], { status: 'CONFIRMED', duplicateOf: null, fixedIn: null, now })
  await deciding.withdrawRetests(tx, id, now)
  if (id === bug.id || !bug.original) return
  const { number, title, testerId } = bug.original
  await queries.insertEvent(tx, { bugId: id, by: tester, now, kind: 'REOPENED' })
  if (testerId === tester.id) return
  const of = { bugId: id, campaign: bug.campaignTitle, number, bug: title }
  await notify(tx, testerId, 'BUG_CHANGED', { ...of, what: 'is open again: another tester still sees it', note: '' })
}
