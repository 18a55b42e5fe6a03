/** What holds up a tester's money, for the balance, the statement and the reply to a withdrawal. */
import { pauseOf } from '../../accounts/rules.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import type { Hold } from '../contract.ts'
import { type HoldFacts, holdOfWithdrawal, holdsOfNew } from '../holds.ts'
import * as queries from './holds.queries.ts'

const factsOf = ({ isConfirmed, ...row }: queries.HoldRow): HoldFacts => ({
  ...row,
  pause: pauseOf(row, clock.now()),
  mustConfirmEmail: !isConfirmed && mailGoesOut(),
})

/** The holds of new withdrawals. */
export const holdsOf = async (tx: Tx, testerId: string): Promise<Hold[]> =>
  holdsOfNew(factsOf(await queries.holdsOf(tx, testerId)))

/** The holds of requested withdrawals. A withdrawal without an entry is not held up. */
export const holdsOfWithdrawals = async (
  tx: Tx,
  testerId: string,
  ids: readonly string[],
): Promise<Map<string, Hold>> => {
  if (ids.length === 0) return new Map()
  const [row, waiting] = await Promise.all([queries.holdsOf(tx, testerId), queries.waitingApprovals(tx, ids)])
  const facts = factsOf(row)
  const approvals = new Map(waiting.map(each => [each.withdrawalId, each]))
  return new Map(
    ids.flatMap(id => {
      const hold = holdOfWithdrawal(facts, approvals.get(id) ?? null)
      return hold ? [[id, hold] as const] : []
    }),
  )
}
