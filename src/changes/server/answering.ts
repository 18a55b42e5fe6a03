/** Feedback that changes answer: the testers who gave it are told and asked to look again, and say what they find. */
import type { RetestResult } from '../../bugs/terms.ts'
import { quotesOf, type Quote } from '../../feedback/server/feedback.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import { aliasOf } from '../../participations/rules.ts'
import type { NewVersion } from '../contract.ts'
import * as queries from './feedback.queries.ts'

type Picks = NonNullable<NewVersion['changes'][number]['feedback']>

type Answering = {
  campaign: { id: string; title: string }
  version: { id: string; version: string }
  change: { id: string; text: string }
  picks: Picks
  /** The field in which the caller named them. */
  field: string
}

const wrong = (field: string, message: string) =>
  new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })

/** Tells each tester who can look again once for each change, however much of their feedback it answers. */
export const answerFeedback = async (tx: Tx, { campaign, version, change, picks, field }: Answering): Promise<void> => {
  if (picks.length === 0) return
  if ((await queries.answeredAlready(tx, version.id, picks)).length > 0)
    throw wrong(field, 'Another change of this version already answers this feedback.')
  const found = await quotesOf(tx, campaign.id, picks)
  const quotes = found.filter((quote): quote is Quote => quote !== null)
  if (quotes.length < picks.length) throw wrong(field, 'There is no such feedback in this campaign.')
  const asked = await queries.answerFeedback(tx, { changeId: change.id, quotes, now: clock.now() })
  const byTester = Map.groupBy(
    quotes.filter(({ testId }) => asked.has(testId)),
    ({ testerId }) => testerId,
  )
  await notifyMany(
    tx,
    [...byTester].map(([testerId, all]) =>
      notice(testerId, 'FEEDBACK_RETEST_ASKED', {
        testId: all[0]!.testId,
        title: campaign.title,
        version: version.version,
        change: change.text,
        quotes: all.map(({ quote }) => quote),
      }),
    ),
  )
}

/** Records what the tester found, and tells the developer. */
export const retest = async (
  tx: Tx,
  tester: SignedIn,
  changeId: string,
  { result, note = '' }: { result: RetestResult; note?: string | undefined },
): Promise<void> => {
  const change = await queries.changeFor(tx, tester.id, changeId)
  const answered = await queries.answerRetest(tx, {
    changeId,
    testerId: tester.id,
    result,
    note,
    now: clock.now(),
  })
  if (answered === 0)
    throw new DomainError('WRONG_STATE', 'You have already answered, or a later version has asked again.')
  const { campaignId, title, version, text } = change
  await notify(tx, change.developerId, 'FEEDBACK_RETESTED', {
    campaignId,
    title,
    alias: aliasOf(change.ordinal),
    works: result === 'WORKS',
    version,
    change: text,
    note,
  })
}

/** The campaign and the version of a change that the tester may see. */
export const placeOf = async (tester: SignedIn, changeId: string): Promise<{ campaignId: string; versionId: string }> =>
  queries.changeFor(autocommit, tester.id, changeId)
