/**
 * What a developer owes for a lost dispute is settled outside of the product: paid to the operator by other means, or waived. If it
 * is not owed after all, the operator gives it back, also outside of the product (decision 054).
 */
import { randomUUIDv7 } from 'node:crypto'
import { audit } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { formatCents } from '../../kit/money.ts'
import type { Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { DisputeCase } from '../disputesContract.ts'
import { assertWholeAmount } from '../rules.ts'
import { type DebtFacts, whyNotGiveBack, whyNotSettle } from '../settledDebts.ts'
import { caseOf } from './disputeCases.ts'
import { lockWhole, type WholeRow } from './disputeCases.queries.ts'
import { owedBy } from './queries.ts'
import * as queries from './settledDebts.queries.ts'

type Body = { amountCents: number; note: string }

type Step = {
  call: 'settleDispute' | 'waiveDebt' | 'giveBackSettlement'
  action: 'dispute.settle' | 'dispute.waive' | 'dispute.give-back'
  whyNot: (row: DebtFacts) => string | null
  dueCents: (row: DebtFacts) => number
  write: (tx: Tx, recorded: queries.Recorded, row: WholeRow) => Promise<void>
}

/** Under the campaign's lock: checks the rule and the amount, and writes. */
const record =
  ({ call, action, whyNot, dueCents, write }: Step) =>
  (admin: SignedIn, id: string, { amountCents, note }: Body, key: string | null): Promise<DisputeCase> =>
    transactOnce({
      userId: admin.id,
      key,
      call,
      asked: { id, amountCents, note },
      subjectId: id,
      effect: async tx => {
        const row = await lockWhole(tx, id)
        const refusal = whyNot(row)
        if (refusal !== null) throw new DomainError('WRONG_STATE', refusal)
        assertWholeAmount(amountCents, dueCents(row))
        const recorded = { id: randomUUIDv7(), disputeId: id, amountCents, note, adminId: admin.id, now: clock.now() }
        await write(tx, recorded, row)
        await audit(tx, admin, {
          action,
          subjectType: 'campaign',
          subjectId: row.campaignId,
          facts: { amount: formatCents(amountCents), note },
        })
      },
      answer: disputeId => caseOf(disputeId),
    })

const ending = (waived: boolean): Pick<Step, 'whyNot' | 'dueCents' | 'write'> => ({
  whyNot: whyNotSettle,
  dueCents: ({ owedCents }) => owedCents,
  write: async (tx, recorded, { campaignId, campaignTitle: title, developerId }) => {
    await queries.settle(tx, recorded, waived)
    const { amountCents } = recorded
    const owedCents = await owedBy(tx, developerId)
    await notify(tx, developerId, 'DEBT_SETTLED', { campaignId, title, amountCents, waived, owedCents })
  },
})

export const settle = record({ call: 'settleDispute', action: 'dispute.settle', ...ending(false) })

export const waive = record({ call: 'waiveDebt', action: 'dispute.waive', ...ending(true) })

export const giveBack = record({
  call: 'giveBackSettlement',
  action: 'dispute.give-back',
  whyNot: whyNotGiveBack,
  dueCents: ({ giveBackCents }) => giveBackCents,
  write: async (tx, recorded, { campaignId, campaignTitle: title, developerId }) => {
    await queries.giveBack(tx, recorded)
    await notify(tx, developerId, 'DEBT_GIVEN_BACK', { campaignId, title, amountCents: recorded.amountCents })
  },
})
