import type { CampaignStatus } from '../../campaigns/contract.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { Answers, Question } from '../contract.ts'
import type { AnswerRow } from '../results.ts'
import type { FormVersion } from '../rules.ts'

/** Newest first; there are few (`formLimits.versions`). */
export const versionsOf = (tx: Tx, campaignId: string): Promise<FormVersion[]> =>
  tx.rows(sql`select version, questions, after_ordinal as "afterOrdinal", saved_at as "savedAt"
    from feedback_forms where campaign_id = ${campaignId} order by version desc`)

/** Also updates the number of questions in the campaign, which the caller has locked, and adds the change to its activity. */
export const insertVersion = (
  tx: Tx,
  campaignId: string,
  { version, questions, savedAt }: { version: number; questions: readonly Question[]; savedAt: string },
): Promise<number> =>
  tx.run(sql`
    with saved as (
      insert into feedback_forms (campaign_id, version, after_ordinal, questions, saved_at)
      select id, ${version}, joins_ever, ${JSON.stringify(questions)}::jsonb, ${savedAt}
      from campaigns where id = ${campaignId}
    ), told as (
      insert into campaign_events (campaign_id, at, kind, facts)
      values (${campaignId}, ${savedAt}, 'FORM_SAVED', jsonb_build_object('version', ${version}::int,
        'questions', ${questions.length}::int))
    )
    update campaigns set feedback_questions = ${questions.length} where id = ${campaignId}`)

/** Locks the campaign, so that nobody joins or submits a proof meanwhile. */
export const lockOwnCampaign = (tx: Tx, developerId: string, id: string): Promise<{ status: CampaignStatus }> =>
  tx.one(sql`select status from campaigns where id = ${id} and developer_id = ${developerId} for update`, 'Campaign')

/** A form that was left blank has a row too, but does not count as answered. */
const answered = sql`answers <> '{}'`

/** How many testers have joined, and how many have answered. */
export const countsOf = (tx: Tx, campaignId: string): Promise<{ joined: number; answered: number }> =>
  tx.one(
    sql`select joins_ever as joined,
      (select count(*) from feedback_answers where campaign_id = ${campaignId} and ${answered}) as answered
      from campaigns where id = ${campaignId}`,
    'Campaign',
  )

export const answersOf = (
  tx: Tx,
  participationId: string,
): Promise<{ version: number; answers: Answers } | undefined> =>
  tx.maybe(sql`select version, answers from feedback_answers where participation_id = ${participationId}`)

type Kept = { participationId: string; campaignId: string; version: number; answers: Answers; answeredAt: string }

export const keepAnswers = (tx: Tx, kept: Kept): Promise<number> =>
  tx.run(sql`insert into feedback_answers (participation_id, campaign_id, version, answers, answered_at)
    values (${kept.participationId}, ${kept.campaignId}, ${kept.version}, ${JSON.stringify(kept.answers)}::jsonb,
      ${kept.answeredAt})
    on conflict (participation_id) do update set version = excluded.version, answers = excluded.answers,
      answered_at = excluded.answered_at`)

/** Only for these tests of the campaign. */
export const answersOfTests = (
  tx: Tx,
  campaignId: string,
  testIds: readonly string[],
): Promise<{ testId: string; testerId: string; answers: Answers }[]> =>
  tx.rows(sql`select f.participation_id as "testId", p.tester_id as "testerId", f.answers
    from feedback_answers f join participations p on p.id = f.participation_id
    where f.participation_id = any(${testIds}::uuid[]) and f.campaign_id = ${campaignId}`)

/** From testers who answered something, sorted by when they joined. */
export const answersOfCampaign = (tx: Tx, campaignId: string): Promise<AnswerRow[]> =>
  tx.rows(sql`select p.id as "testId", p.ordinal, p.status, p.device_model as model, p.device_manufacturer as manufacturer,
      p.device_os_version as "osVersion", f.version, f.answers, f.answered_at as "answeredAt"
    from feedback_answers f join participations p on p.id = f.participation_id
    where f.campaign_id = ${campaignId} and ${answered} order by p.ordinal`)
