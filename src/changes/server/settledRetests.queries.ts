import { sql, type Tx } from '../../kit/server/db.ts'
import { canTestAgain } from '../../bugs/server/bugs.ts'
import type { Asked } from '../../notifications/server/notifications.ts'

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** Questions that were answered, withdrawn or asked again since, or that nobody is left to answer. */
export const settledOfBugs = async (tx: Tx, asked: readonly Asked[]): Promise<string[]> =>
  ids(
    await tx.rows(sql`select n.id
      from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ bugId }) => bugId)}::uuid[],
        ${asked.map(({ createdAt }) => createdAt)}::timestamptz[]) as n (id, bug_id, told_at)
      where not exists (select from bug_retests r join bugs b on b.id = r.bug_id join participations p on p.id = b.participation_id
        where ${canTestAgain} and r.bug_id = n.bug_id and r.result is null and r.withdrawn_at is null and r.asked_at <= n.told_at)`),
  )

/** A tester gets one notification for each change. Of these, the newest are kept: as many as changes still wait for an answer. */
export const settledOfFeedback = async (tx: Tx, asked: readonly Asked[]): Promise<string[]> =>
  ids(
    await tx.rows(sql`select n.id
      from (select *, row_number() over (partition by test_id order by told_at desc, id desc) as place
        from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ testId }) => testId)}::uuid[],
          ${asked.map(({ createdAt }) => createdAt)}::timestamptz[]) as given (id, test_id, told_at)) n
      where n.place > (select count(distinct f.change_id) from change_feedback f join participations p on p.id = f.participation_id
        where ${canTestAgain} and f.participation_id = n.test_id and f.result is null and f.withdrawn_at is null)`),
  )
