/** A tester's actions in a test: check in, submit the proof, leave. */
import { hangOnDay, hangOnProof } from '../../attachments/server/attachments.ts'
import type { GivenFeedback, TesterFeedback, TestFeedback } from '../../feedback/contract.ts'
import * as feedback from '../../feedback/server/feedback.ts'
import { clock, dayIn } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { keepReply, transactOnce } from '../../kit/server/idempotency.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, DayCode, Leaving, NewCheckIn, Proof } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { featuresTried, saidOnDay } from '../facts.ts'
import { aliasOf, alreadyCheckedIn, lifecycle } from '../rules.ts'
import type { Situation } from '../situation.ts'
import { act } from './actions.ts'
import { dayCodeOf } from './dayCode.ts'
import { leaveBench } from './bench.ts'
import { assertPaid, leaveBy } from './leaving.ts'
import { get } from './participations.ts'
import * as queries from './queries.ts'

export const checkIn = (
  tester: SignedIn,
  id: string,
  facts: NewCheckIn,
  key: string | null = null,
): Promise<CampaignTester> =>
  act({ user: tester, id, action: 'checkIn', key, asked: facts }, async (tx, row, now) => {
    const { minutes = null, note, attachmentId } = facts
    const day = dayIn(row.timeZone, now)
    const seen = { ...row, lastSeenAt: now, atRisk: false }
    const features = featuresTried(row.features, facts.features ?? [])
    const code = dayCodeOf(id, day)
    const voided = row.optedOutAt === null ? undefined : await queries.removeVoidedCheckIn(tx, id, day)
    const said = saidOnDay({ note: note || null, minutes, features }, voided)
    const counted = { wakeAt: wakeAt(seen), replaces: voided !== undefined }
    if (!(await queries.insertCheckIn(tx, id, { day, at: now, code, ...said }, counted))) throw alreadyCheckedIn()
    if (attachmentId !== undefined) await hangOnDay(tx, tester.id, attachmentId, { participationId: id, day })
  })

export const dayCode = async (tester: SignedIn, id: string): Promise<DayCode> => {
  const { timeZone } = await queries.participationFor(autocommit, tester, id)
  const day = dayIn(timeZone, clock.now())
  return { code: dayCodeOf(id, day), day }
}

export const submitProof = (
  tester: SignedIn,
  id: string,
  { proof, feedback: given }: { proof: Proof; feedback?: GivenFeedback | undefined },
  key: string | null = null,
): Promise<CampaignTester> =>
  act({ user: tester, id, action: 'submitProof', key, asked: { proof, given } }, async (tx, row, now) => {
    const submitted: Situation = { ...row, status: 'SUBMITTED', proofSubmittedAt: now }
    const verifiesAt = wakeAt(submitted)!
    await feedback.take(tx, row, { given, at: 'feedback.' }, now)
    await Promise.all([
      queries.setProof(tx, id, proof, now, verifiesAt),
      hangOnProof(tx, tester.id, id, proof.attachmentIds),
      notify(tx, row.developerId, 'PROOF_TO_REVIEW', {
        campaignId: row.campaignId,
        testId: id,
        title: row.campaignTitle,
        alias: aliasOf(row.ordinal),
        verifiesAt,
      }),
    ])
  })

export const feedbackOf = async (tester: SignedIn, id: string): Promise<TesterFeedback> =>
  feedback.ofTest(autocommit, await queries.participationFor(autocommit, tester, id))

/** A test's feedback, for its reviewer. */
export const testFeedbackOf = async (user: SignedIn, id: string): Promise<TestFeedback> =>
  feedback.givenIn(autocommit, await queries.participationFor(autocommit, user, id))

/** As long as the tester may still submit a proof. */
export const answerFeedback = (
  tester: SignedIn,
  id: string,
  given: GivenFeedback,
  key: string | null = null,
): Promise<TesterFeedback> =>
  transactOnce({
    userId: tester.id,
    key,
    call: 'answer-feedback',
    asked: { id, given },
    subjectId: id,
    load: tx => queries.lockParticipationFor(tx, tester, id),
    effect: async (tx, row) => {
      const { from } = lifecycle.submitProof
      if (!from.includes(row.status))
        throw new DomainError('WRONG_STATE', 'The feedback can be changed only until the proof is submitted.')
      await feedback.take(tx, row, { given, at: '' }, clock.now())
    },
    answer: () => feedbackOf(tester, id),
  })

/**
 * Leaving pays nothing, with two exceptions: a tester who waited a week for the tester list gets one day's pay, and a tester who is
 * asked to accept a changed NDA is paid for the days done.
 */
export const leave = async (
  tester: SignedIn,
  id: string,
  asked: Leaving = {},
  key: string | null = null,
): Promise<CampaignTester> => {
  const leaveTest = () => leaveBy('leave', { tester, id, asked, key })
  try {
    return await leaveTest()
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error
    // A bench entry, or one whose seat was accepted a moment ago.
    return (await leaveBenchOnce(tester, id, asked, key)) ?? leaveTest()
  }
}

/** Null if the caller has no bench entry with this id. Leaving deletes the entry, so the reply is made before that. */
const leaveBenchOnce = async (
  tester: SignedIn,
  id: string,
  asked: Leaving,
  key: string | null,
): Promise<CampaignTester | null> => {
  let left: CampaignTester | null = null
  try {
    return await transactOnce({
      userId: tester.id,
      key,
      // As in the test that the entry may have become.
      call: 'leave',
      asked: { id, asked: asked.payCents },
      subjectId: id,
      effect: async tx => {
        left = await leaveBench(tx, tester, id)
        if (left === null) throw notOnBench
        assertPaid(0, asked)
        if (key !== null) await keepReply({ userId: tester.id }, key, left, tx)
      },
      answer: async () => left ?? get(tester, id),
    })
  } catch (error) {
    if (error === notOnBench) return null
    throw error
  }
}
const notOnBench = new Error('on no bench under this id')
