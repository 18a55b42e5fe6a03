/** SQL for debts that are settled outside of the product. */
import type { Instant } from '../../kit/clock.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

export type Recorded = {
  id: string
  disputeId: string
  amountCents: number
  note: string
  adminId: string
  now: Instant
}

/** The rule has allowed both under the same lock. */
const assertDone = (outcome: string): void => {
  if (outcome !== 'OK') throw new Error(`the database refuses it: ${outcome}`)
}

export const settle = async (
  tx: Tx,
  { id, disputeId, amountCents, note, adminId, now }: Recorded,
  waived: boolean,
): Promise<void> =>
  assertDone(
    await tx.value(
      sql`select settle_debt(${id}, ${disputeId}, ${waived}, ${amountCents}, ${note}, ${adminId}, ${now})`,
    ),
  )

export const giveBack = async (tx: Tx, { id, disputeId, amountCents, note, adminId, now }: Recorded): Promise<void> =>
  assertDone(
    await tx.value(sql`select give_back_settlement(${id}, ${disputeId}, ${amountCents}, ${note}, ${adminId}, ${now})`),
  )
