/** What is left in the database by a process that dies right after recording a charge. For tests. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../kit/clock.ts'
import { transact } from '../kit/server/db.ts'
import type { Person } from './app.ts'
import { beginCharge } from '../ledger/server/ledger.ts'
import type { Asked } from '../ledger/server/provider.ts'

/** Returns what the provider would be asked next. */
export const begunCharge = async ({ user }: Person, campaignId: string, amountCents: number): Promise<Asked> => {
  const chargeId = randomUUIDv7()
  const payer = { paymentMethod: user.email, declined: [], onTheirWay: 0, owedCents: 0 }
  await transact(tx => beginCharge(tx, { chargeId, campaignId, developerId: user.id, amountCents }, payer))
  return {
    key: chargeId,
    subjectId: chargeId,
    of: campaignId,
    amountCents,
    counterparty: user.email,
    begunAt: clock.now(),
    sentAt: clock.now(),
    mayBeMade: false,
    earlierCents: 0,
  }
}
