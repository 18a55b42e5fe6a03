/** Notices about tests whose matter has been dealt with since: a digest leaves them out. */
import type { Tx } from '../../kit/server/db.ts'
import type { Asked } from '../../notifications/server/notifications.ts'
import * as queries from './settledNotices.queries.ts'

const isOfTest = (one: Asked): one is Asked & { testId: string } => one.testId !== null

export const settledNotices = async (tx: Tx, asked: readonly Asked[], now: string): Promise<ReadonlySet<string>> =>
  new Set(await queries.settled(tx, asked.filter(isOfTest), now))
