/** SQL for the feedback that changes answer. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { RetestResult } from '../../bugs/terms.ts'
import { canTestAgain } from '../../bugs/server/bugs.ts'
import type { Quote } from '../../feedback/server/feedback.ts'

export type FeedbackRow = {
  changeId: string
  testId: string
  testerId: string
  ordinal: number
  question: string
  quote: string
  result: RetestResult | null
  note: string | null
  open: boolean
}

/** For a tester, only their own. */
export const feedbackOf = (tx: Tx, changeIds: readonly string[], testerId: string | null): Promise<FeedbackRow[]> =>
  tx.rows(sql`select f.change_id as "changeId", p.id as "testId", p.tester_id as "testerId", p.ordinal, f.question, f.quote,
      f.result, f.note, f.result is null and f.withdrawn_at is null and ${canTestAgain} as open
    from change_feedback f join participations p on p.id = f.participation_id
    where f.change_id = any(${changeIds}) ${testerId === null ? empty : sql`and p.tester_id = ${testerId}`}
    order by p.ordinal, f.question_id`)

export const countFeedback = (tx: Tx, campaignId: string): Promise<number> =>
  tx.value(sql`select count(*)::int from versions v join changes c on c.version_id = v.id
    join change_feedback f on f.change_id = c.id where v.campaign_id = ${campaignId}`)

/**
 * Withdraws the same questions of earlier versions, and does not wait for testers who cannot look again. Returns the tests that are
 * asked.
 */
export const answerFeedback = async (
  tx: Tx,
  { changeId, quotes, now }: { changeId: string; quotes: readonly Quote[]; now: string },
): Promise<Set<string>> => {
  const tests = quotes.map(({ testId }) => testId)
  const questions = quotes.map(({ questionId }) => questionId)
  await tx.run(sql`update change_feedback f set withdrawn_at = ${now}
    from unnest(${tests}::uuid[], ${questions}::uuid[]) as answered (test_id, question_id)
    where f.participation_id = answered.test_id and f.question_id = answered.question_id
      and f.result is null and f.withdrawn_at is null`)
  const rows = await tx.rows<{ testId: string; asked: boolean }>(sql`
    insert into change_feedback (change_id, participation_id, question_id, question, quote, withdrawn_at)
    select ${changeId}, given.*, case when not (${canTestAgain}) then ${now}::timestamptz end
    from unnest(${tests}::uuid[], ${questions}::uuid[], ${quotes.map(({ question }) => question)}::text[],
        ${quotes.map(({ quote }) => quote)}::text[]) as given (test_id, question_id, question, quote)
      join participations p on p.id = given.test_id
    returning participation_id as "testId", withdrawn_at is null as asked`)
  return new Set(rows.filter(({ asked }) => asked).map(({ testId }) => testId))
}

/** Which of these a version answers already. */
export const answeredAlready = (
  tx: Tx,
  versionId: string,
  picks: readonly { testId: string; questionId: string }[],
): Promise<{ testId: string; questionId: string }[]> =>
  tx.rows(sql`select f.participation_id as "testId", f.question_id as "questionId"
    from changes c join change_feedback f on f.change_id = c.id
      join unnest(${picks.map(({ testId }) => testId)}::uuid[], ${picks.map(({ questionId }) => questionId)}::uuid[])
        as pick (test_id, question_id) on pick.test_id = f.participation_id and pick.question_id = f.question_id
    where c.version_id = ${versionId}`)

export type AskedChange = {
  versionId: string
  version: string
  text: string
  campaignId: string
  title: string
  developerId: string
  ordinal: number
}

/** A change of a campaign in which the tester has, or had, a seat. */
export const changeFor = (tx: Tx, testerId: string, changeId: string): Promise<AskedChange> =>
  tx.one(
    sql`select v.id as "versionId", v.version, c.text, k.id as "campaignId", k.title, k.developer_id as "developerId", p.ordinal
      from changes c join versions v on v.id = c.version_id join campaigns k on k.id = v.campaign_id
        join participations p on p.campaign_id = k.id and p.tester_id = ${testerId}
      where c.id = ${changeId}`,
    'Change',
  )

export type Found = { changeId: string; testerId: string; result: RetestResult; note: string; now: string }

/** Answers for all of the tester's feedback that the change answers; returns 0 if nothing waits. */
export const answerRetest = (tx: Tx, { changeId, testerId, result, note, now }: Found): Promise<number> =>
  tx.run(sql`update change_feedback f set result = ${result}, note = nullif(${note}, ''), answered_at = ${now}
    from participations p where p.id = f.participation_id and p.tester_id = ${testerId} and f.change_id = ${changeId}
      and f.result is null and f.withdrawn_at is null`)
