/** Events of one user: what they missed, and the job that deletes old events. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { deleteInSteps } from '../../kit/server/deleting.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import type { LiveEvents } from '../contract.ts'
import { type Cursor, cursorText } from '../cursor.ts'
import * as queries from './queries.ts'

/** A user who missed more than this has to load everything again. */
const mostMissed = 200
const daysKept = 7
const forgottenAtOnce = 5_000

export const missed = async (
  { id: userId }: SignedIn,
  after: Cursor | undefined,
  seconds: number,
): Promise<{ rows: queries.EventRow[]; until: string; reset: boolean; position: string | null }> => {
  const found = await queries.missedBy(autocommit, { userId, after, seconds, limit: mostMissed + 1 })
  const { rows, until, known, position } = found
  const reset = !known || rows.length > mostMissed
  return { rows: reset ? [] : rows, until, reset, position }
}

export const eventsOf = async (user: SignedIn, after: Cursor | undefined, seconds: number): Promise<LiveEvents> => {
  const { rows, until, reset, position } = await missed(user, after, seconds)
  return {
    events: rows.map(row => ({ cursor: cursorText(row), topic: row.topic, subjectId: row.subjectId })),
    cursor: cursorText({ tx: until, id: 0 }),
    reset,
    position,
  }
}

export const forgetEvents = scheduled(
  'events.forget',
  '7 * * * *',
  async () => {
    await deleteInSteps<Cursor>(forgottenAtOnce, (after, limit) =>
      queries.forget(autocommit, { days: daysKept, after, limit }),
    )
  },
  { neverPaused: true },
)

/** For a database that is copied into another PostgreSQL, whose transactions have different numbers. */
export const forgetAllEvents = async (tx: Tx): Promise<void> => {
  await queries.forgetAll(tx)
}
