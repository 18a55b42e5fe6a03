/** SQL that writes decisions on bugs, entries in their threads, and results of retests. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { InCampaign } from '../rules.ts'
import type { BugSeverity, BugStatus, RetestResult } from '../terms.ts'
import { canTestAgain, doorAsJson } from './queries.ts'

/** Locks the campaign first. From then on, others who decide on its bugs or report one have to wait. */
export const lockBugsOf = async (tx: Tx, campaignId: string): Promise<void> => {
  await tx.run(sql`select from campaigns where id = ${campaignId} for key share`)
  await tx.run(sql`select from bug_numbers where campaign_id = ${campaignId} for update`)
}

export type OriginalRow = {
  id: string
  number: number
  title: string
  originalNumber: number | null
  fixedIn: string | null
  testerId: string
}

export const originalOf = (tx: Tx, campaignId: string, id: string): Promise<OriginalRow | undefined> =>
  tx.maybe(sql`select b.id, b.number, b.title, o.number as "originalNumber",
      b.fixed_in as "fixedIn", p.tester_id as "testerId"
    from bugs b join participations p on p.id = b.participation_id left join bugs o on o.id = b.duplicate_of
    where b.id = ${id} and b.campaign_id = ${campaignId}`)

type Decision = { status: BugStatus; duplicateOf: string | null; fixedIn: string | null; now: string }

export const setStatus = (
  tx: Tx,
  bugIds: readonly string[],
  { status, duplicateOf, fixedIn, now }: Decision,
): Promise<number> =>
  tx.run(sql`update bugs set status = ${status}, duplicate_of = ${duplicateOf}, fixed_in = ${fixedIn}, changed_at = ${now}
    where id = any(${bugIds})`)

export const setSeverity = (tx: Tx, id: string, severity: BugSeverity, now: string): Promise<number> =>
  tx.run(sql`update bugs set severity = ${severity}, changed_at = ${now} where id = ${id}`)

/** Moves the duplicates of one bug to another. */
export const moveDuplicates = async (tx: Tx, from: string, to: string, now: string): Promise<string[]> =>
  ids(
    await tx.rows(
      sql`update bugs set duplicate_of = ${to}, changed_at = ${now} where duplicate_of = ${from} returning id`,
    ),
  )

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

export const duplicateIdsOf = async (tx: Tx, bugIds: readonly string[]): Promise<string[]> =>
  ids(await tx.rows(sql`select id from bugs where duplicate_of = any(${bugIds}) order by number`))

export const addComment = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update bugs set comments = comments + 1, changed_at = ${now} where id = ${id}`)

export type Reporter = {
  bugId: string
  number: number
  title: string
  testerId: string
  canTestAgain: boolean
  door: InCampaign
}

/** Leaves out reporters who have deleted their account, since there is nobody to tell or ask. */
export const reportersAmong = (tx: Tx, bugIds: readonly string[]): Promise<Reporter[]> =>
  tx.rows(sql`select b.id as "bugId", b.number, b.title, p.tester_id as "testerId", ${canTestAgain} as "canTestAgain",
      ${doorAsJson} as door
    from bugs b join participations p on p.id = b.participation_id join campaigns c on c.id = b.campaign_id
      join users u on u.id = p.tester_id and u.deleted_at is null
    where b.id = any(${bugIds}) order by b.number`)

/** For testers who cannot look again, the question is withdrawn from the start. */
export const askRetests = (
  tx: Tx,
  reporters: readonly Pick<Reporter, 'bugId' | 'canTestAgain'>[],
  version: string,
  now: string,
): Promise<number> =>
  tx.run(sql`insert into bug_retests (bug_id, version, asked_at, withdrawn_at)
    select asked.id, ${version}, ${now}, case when not asked.can then ${now}::timestamptz end
    from unnest(${reporters.map(({ bugId }) => bugId)}::uuid[],
      ${reporters.map(reporter => reporter.canTestAgain)}::boolean[]) as asked (id, can)`)

/** Withdraws the unanswered questions about the bug and its duplicates. */
export const withdrawRetests = (tx: Tx, bugId: string, now: string): Promise<number> =>
  tx.run(sql`update bug_retests set withdrawn_at = ${now} where result is null and withdrawn_at is null
    and bug_id in (select ${bugId}::uuid union all select id from bugs where duplicate_of = ${bugId})`)

export const answerRetest = (tx: Tx, bugId: string, result: RetestResult, now: string): Promise<number> =>
  tx.run(sql`update bug_retests set result = ${result}, answered_at = ${now}
    where bug_id = ${bugId} and result is null and withdrawn_at is null`)
