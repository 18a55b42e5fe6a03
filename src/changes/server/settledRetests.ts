/** What a digest leaves out: fixes and answers that nobody has to look at any more. */
import type { Tx } from '../../kit/server/db.ts'
import type { Asked } from '../../notifications/server/notifications.ts'
import * as queries from './settledRetests.queries.ts'

export const settledRetests = async (tx: Tx, asked: readonly Asked[]): Promise<ReadonlySet<string>> => {
  const ofBugs = asked.filter(({ kind }) => kind === 'RETEST_ASKED')
  const ofFeedback = asked.filter(({ kind }) => kind === 'FEEDBACK_RETEST_ASKED')
  return new Set([
    ...(ofBugs.length === 0 ? [] : await queries.settledOfBugs(tx, ofBugs)),
    ...(ofFeedback.length === 0 ? [] : await queries.settledOfFeedback(tx, ofFeedback)),
  ])
}
