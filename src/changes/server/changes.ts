/** Use cases of the change log: what a version changes, which bugs that answers, and what retests have shown. */
import { randomUUIDv7 } from 'node:crypto'
import { fixBugs, standsOutside } from '../../bugs/server/bugs.ts'
import type { RetestResult } from '../../bugs/terms.ts'
import { assertVisible } from '../../campaigns/server/campaigns.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError, notFound } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { grouped } from '../../kit/words.ts'
import { aliasOf } from '../../participations/rules.ts'
import type { AppVersion, NewVersion } from '../contract.ts'
import { mostChanges, mostFeedbackOfCampaign, mostVersions } from '../terms.ts'
import { answerFeedback, placeOf, retest as answerRetest } from './answering.ts'
import { countFeedback, feedbackOf } from './feedback.queries.ts'
import * as queries from './queries.ts'

/** What the caller may see. Of other testers' bugs, a tester sees the number, the title and the state. */
const shown = async (tx: Tx, user: SignedIn, versions: queries.VersionRow[]): Promise<AppVersion[]> => {
  const changes = await queries.changesOf(
    tx,
    versions.map(({ id }) => id),
  )
  const ids = changes.map(({ id }) => id)
  const [answers, reporters, feedback] = await Promise.all([
    queries.answersOf(tx, ids),
    queries.reportersOf(tx, ids),
    feedbackOf(tx, ids, user.role === 'TESTER' ? user.id : null),
  ])
  const feedbackByChange = Map.groupBy(feedback, ({ changeId }) => changeId)
  const mayKnow = ({ testerId }: { testerId: string }) => user.role !== 'TESTER' || testerId === user.id
  const reportersIn = (changeId: string, bugId: string) =>
    reporters
      .filter(each => each.changeId === changeId && each.answeredId === bugId && mayKnow(each))
      .map(({ ordinal, testerId, ...each }) => ({ ...each, alias: aliasOf(ordinal), own: testerId === user.id }))
  const bugsIn = (id: string) =>
    answers
      .filter(({ changeId }) => changeId === id)
      .map(({ changeId, testerId, ...bug }) => ({
        ...bug,
        own: testerId === user.id,
        mayOpen: mayKnow({ testerId }),
        reporters: reportersIn(changeId, bug.id),
      }))
  const feedbackIn = (id: string) =>
    (feedbackByChange.get(id) ?? []).map(({ ordinal, testerId, ...each }) => ({
      ...each,
      alias: aliasOf(ordinal),
      own: testerId === user.id,
    }))
  return versions.map(version => ({
    ...version,
    changes: changes
      .filter(each => each.versionId === version.id)
      .map(each => ({ ...each, bugs: bugsIn(each.id), feedback: feedbackIn(each.id) })),
  }))
}

/** Only what answers this tester's own bugs and feedback, without the titles that others gave to the same bugs. */
const onlyOwn = (versions: readonly AppVersion[]): AppVersion[] =>
  versions.flatMap(({ changes, ...version }) => {
    const own = changes
      .map(change => ({
        ...change,
        bugs: change.bugs
          .filter(bug => bug.own || bug.reporters.some(each => each.own))
          .map(bug => (bug.own ? bug : { ...bug, title: null })),
      }))
      .filter(({ bugs, feedback }) => bugs.length > 0 || feedback.length > 0)
    return own.length > 0 ? [{ ...version, changes: own }] : []
  })

/**
 * Complete for the owner, admins and testers inside. A tester who has left, or whose NDA is not accepted, sees only what answers
 * their own.
 */
const visibleTo = async (tx: Tx, user: SignedIn, campaignId: string, id?: string): Promise<AppVersion[]> => {
  const isOutside = user.role === 'TESTER' && (await standsOutside(tx, user.id, campaignId))
  const versions = await shown(tx, user, await queries.versionsOf(tx, campaignId, id))
  return isOutside ? onlyOwn(versions) : versions
}

export const list = async (user: SignedIn, campaignId: string, tx: Tx = autocommit): Promise<AppVersion[]> => {
  if (user.role !== 'TESTER') await assertVisible(user, campaignId)
  return visibleTo(tx, user, campaignId)
}

const one = async (user: SignedIn, campaignId: string, id: string, tx: Tx = autocommit): Promise<AppVersion> => {
  const [version] = await visibleTo(tx, user, campaignId, id)
  if (!version) throw notFound('Version')
  return version
}

/** If the version exists already, the changes are added to it. */
const versionFor = async (tx: Tx, campaignId: string, version: string): Promise<queries.VersionRow> => {
  const known = await queries.versionNamed(tx, campaignId, version)
  if (known) return known
  if ((await queries.countVersions(tx, campaignId)) >= mostVersions)
    throw new DomainError('LIMIT_REACHED', `A campaign can have at most ${mostVersions} versions.`)
  const made = { id: randomUUIDv7(), version, publishedAt: clock.now() }
  await queries.insertVersion(tx, { ...made, campaignId })
  return made
}

/** Keeps a bug from counting twice. */
const assertNotAnswered = async (tx: Tx, versionId: string, made: readonly queries.NewChange[]) => {
  const bugIds = made.flatMap(each => each.bugIds)
  const answered = await queries.answeredIn(tx, versionId, bugIds)
  const row = made.findIndex(each => each.bugIds.some(bugId => answered.has(bugId)))
  if (row === -1) return
  const message = 'Another change of this version already answers one of these bugs.'
  throw new DomainError('INVALID_INPUT', message, { fields: { [`changes.${row}.bugIds`]: message } })
}

export const publish = (
  owner: SignedIn,
  campaignId: string,
  { version: name, changes }: NewVersion,
  key: string | null = null,
): Promise<AppVersion> =>
  transactOnce({
    userId: owner.id,
    key,
    call: 'publish-changes',
    asked: { campaignId, name, changes },
    subjectId: campaignId,
    effect: async tx => {
      const campaign = await queries.ownCampaign(tx, owner, campaignId)
      const { id, version } = await versionFor(tx, campaignId, name)
      const before = await queries.countChanges(tx, id)
      if (before + changes.length > mostChanges)
        throw new DomainError('LIMIT_REACHED', `A version can have at most ${mostChanges} changes.`)
      const picked = changes.reduce((sum, { feedback = [] }) => sum + feedback.length, 0)
      if (picked > 0 && (await countFeedback(tx, campaignId)) + picked > mostFeedbackOfCampaign)
        throw new DomainError(
          'LIMIT_REACHED',
          `The versions of a campaign can answer at most ${grouped(mostFeedbackOfCampaign)} pieces of feedback.`,
        )
      const made = changes.map(({ text, bugIds = [], feedback = [] }, index) => ({
        id: randomUUIDv7(),
        position: before + index,
        text,
        bugIds,
        feedback,
      }))
      await assertNotAnswered(tx, id, made)
      // Runs before anything refers to the bugs, since it refuses those of other campaigns.
      for (const [index, { bugIds, text }] of made.entries())
        await fixBugs(tx, owner, campaignId, { bugIds, version, note: text, field: `changes.${index}.bugIds` })
      await queries.insertChanges(tx, id, made)
      for (const [index, { bugIds: _, feedback: picks, ...change }] of made.entries()) {
        const answering = { campaign, version: { id, version }, change, picks, field: `changes.${index}.feedback` }
        await answerFeedback(tx, answering)
      }
    },
    answer: async id => (await named(owner, id, name))!,
  })

const named = async (user: SignedIn, campaignId: string, name: string) => {
  const version = await queries.versionNamed(autocommit, campaignId, name)
  return version && one(user, campaignId, version.id)
}

/** Records what a tester found about their own feedback. */
export const retest = (
  tester: SignedIn,
  changeId: string,
  found: { result: RetestResult; note?: string | undefined },
  key: string | null = null,
): Promise<AppVersion> =>
  transactOnce({
    userId: tester.id,
    key,
    call: 'retest-change',
    asked: { changeId, ...found },
    subjectId: changeId,
    effect: tx => answerRetest(tx, tester, changeId, found),
    answer: async id => {
      const { campaignId, versionId } = await placeOf(tester, id)
      return one(tester, campaignId, versionId)
    },
  })

export const correct = (owner: SignedIn, changeId: string, text: string): Promise<AppVersion> =>
  transact(async tx => {
    const { versionId, campaignId } = await queries.setText(tx, owner, changeId, text)
    return one(owner, campaignId, versionId, tx)
  })
