/** Use cases of feedback forms: the owner's form, the testers' answers, and the results. */
import { randomUUID } from 'node:crypto'
import { assertVisible, changedBesides } from '../../campaigns/server/campaigns.ts'
import { hasEnded, statusWords } from '../../campaigns/rules.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import type {
  FeedbackForm,
  FeedbackResults,
  GivenFeedback,
  NewForm,
  ResultsQuery,
  TesterFeedback,
  TestFeedback,
} from '../contract.ts'
import { resultsCsv, resultsOf } from '../results.ts'
import { answeredBesides, assertMadeFrom, dueForm, feedbackToKeep, sameForm, settled } from '../rules.ts'
import { formLimits, hasText } from '../terms.ts'
import * as queries from './queries.ts'

export const formOf = async (user: SignedIn, campaignId: string): Promise<FeedbackForm> => {
  await assertVisible(user, campaignId)
  return read(autocommit, campaignId)
}

const read = async (tx: Tx, campaignId: string): Promise<FeedbackForm> => {
  const [versions, counts] = await Promise.all([queries.versionsOf(tx, campaignId), queries.countsOf(tx, campaignId)])
  const [present] = versions
  return {
    version: present?.version ?? null,
    questions: present?.questions ?? [],
    savedAt: present?.savedAt ?? null,
    ...counts,
  }
}

/** Saves a new version for testers who join from now on (decision 038). If nothing has changed, there is no new version. */
export const saveForm = (
  developer: SignedIn,
  campaignId: string,
  { version: madeFrom, questions }: NewForm,
): Promise<FeedbackForm> =>
  transact(
    async tx => {
      const { status } = await queries.lockOwnCampaign(tx, developer.id, campaignId)
      if (hasEnded(status))
        throw new DomainError('WRONG_STATE', `This campaign is ${statusWords[status]}, so its form cannot change.`)
      const [present] = await queries.versionsOf(tx, campaignId)
      const before = present?.questions ?? []
      const next = settled(questions, before, randomUUID)
      // A repeated request changes nothing, whatever version its author started from.
      if (sameForm(next, before)) return
      assertMadeFrom(madeFrom, present?.version ?? null)
      const version = (present?.version ?? 0) + 1
      if (version > formLimits.versions)
        throw new DomainError(
          'LIMIT_REACHED',
          `This form has been changed ${formLimits.versions - 1} times, which is the limit.`,
        )
      await queries.insertVersion(tx, campaignId, { version, questions: next, savedAt: clock.now() })
      await changedBesides(tx, campaignId)
    },
    tx => read(tx, campaignId),
  )

const recorded = (campaignId: string) =>
  Promise.all([queries.versionsOf(autocommit, campaignId), queries.answersOfCampaign(autocommit, campaignId)])

export const results = async (user: SignedIn, campaignId: string, filters: ResultsQuery): Promise<FeedbackResults> => {
  await assertVisible(user, campaignId)
  const [versions, answers] = await recorded(campaignId)
  return resultsOf(versions, answers, filters)
}

export const csvOf = async (user: SignedIn, campaignId: string, filters: ResultsQuery): Promise<string> => {
  await assertVisible(user, campaignId)
  const [versions, answers] = await recorded(campaignId)
  return resultsCsv(versions, answers, filters)
}

type Test = { id: string; campaignId: string; ordinal: number }

/** What the tester of this test is asked, and what they answered before. */
export const ofTest = async (tx: Tx, { id, campaignId, ordinal }: Test): Promise<TesterFeedback> => {
  const [versions, given] = await Promise.all([queries.versionsOf(tx, campaignId), queries.answersOf(tx, id)])
  return { form: dueForm(versions, ordinal), answers: given?.answers ?? null }
}

/** For the reviewer: the tester's answers to the questions that they were asked, and to earlier ones. */
export const givenIn = async (tx: Tx, { id, campaignId }: Test): Promise<TestFeedback> => {
  const [versions, given] = await Promise.all([queries.versionsOf(tx, campaignId), queries.answersOf(tx, id)])
  if (!given) return { questions: [], answers: null }
  const asked = versions.find(({ version }) => version === given.version)?.questions ?? []
  return { questions: [...asked, ...answeredBesides(asked, versions, [given.answers])], answers: given.answers }
}

export type Pick = { testId: string; questionId: string }
export type Quote = Pick & { testerId: string; question: string; quote: string }

/** What testers wrote, word for word; null wherever a tester wrote nothing. */
export const quotesOf = async (tx: Tx, campaignId: string, picks: readonly Pick[]): Promise<(Quote | null)[]> => {
  if (picks.length === 0) return []
  const [versions, given] = await Promise.all([
    queries.versionsOf(tx, campaignId),
    queries.answersOfTests(
      tx,
      campaignId,
      picks.map(({ testId }) => testId),
    ),
  ])
  const asked = versions.flatMap(({ questions }) => questions)
  return picks.map(pick => {
    const of = given.find(({ testId }) => testId === pick.testId)
    const question = asked.find(({ id, kind }) => id === pick.questionId && hasText(kind))
    const quote = of?.answers[pick.questionId]
    if (!of || !question || typeof quote !== 'string') return null
    return { ...pick, testerId: of.testerId, question: question.text, quote }
  })
}

/** `at` is the place of the answers in the request. */
type Given = { given: GivenFeedback | undefined; at: 'feedback.' | '' }

/** Stores the answers of a test. The caller has locked the campaign. */
export const take = async (tx: Tx, test: Test, { given, at }: Given, now: string): Promise<void> => {
  const versions = await queries.versionsOf(tx, test.campaignId)
  if (versions.length === 0 && !given) return
  const before = await queries.answersOf(tx, test.id)
  const kept = feedbackToKeep(given, { versions, ordinal: test.ordinal, before: before?.answers, at })
  if (!kept) return
  await queries.keepAnswers(tx, {
    participationId: test.id,
    campaignId: test.campaignId,
    answeredAt: now,
    ...kept,
  })
}
