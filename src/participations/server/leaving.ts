/**
 * What a tester is paid for ending a test, by leaving or by refusing a changed NDA: one day after a week of waiting for the
 * tester list, the days done if the NDA was changed, and nothing otherwise.
 */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Cents } from '../../kit/money.ts'
import type { Tx } from '../../kit/server/db.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { mayRefuse } from '../../nda/rules.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, Leaving } from '../contract.ts'
import { leavesPaid, waitingPay } from '../deadlines.ts'
import { dropWords } from '../dropWords.ts'
import { aliasOf, lifecycle } from '../rules.ts'
import { actWithMoney } from './actions.ts'
import * as queries from './queries.ts'
import { seatOf, surplusOf } from './seatFacts.ts'

type Asking = { tester: SignedIn; id: string; asked: Leaving; key: string | null }

export const leaveBy = (action: 'leave' | 'refuseNda', { tester, id, asked, key }: Asking): Promise<CampaignTester> =>
  actWithMoney({
    user: tester,
    id,
    action,
    key,
    asked: asked.payCents,
    before: tellOwner,
    move: async (tx, row) => {
      const outcome = await moveOut(tx, tester, row)
      if (outcome === 'OK' && asked.payCents !== undefined) {
        const { payoutAmountCents } = await queries.participationFor(tx, tester, id)
        assertPaid(payoutAmountCents, asked)
      }
      return outcome
    },
  })

/**
 * The caller expected pay, but the week is not over by our clock, or the developer has put the tester on the list or withdrawn
 * the NDA.
 */
export const assertPaid = (paidCents: Cents, { payCents = 0 }: Leaving): void => {
  if (paidCents < payCents)
    throw new DomainError('WRONG_STATE', 'Leaving now pays less than you were shown. Look at your test again.')
}

const tellOwner = (tx: Tx, row: queries.ParticipationRow): Promise<void> => {
  const { id: testId, developerId, campaignId, campaignTitle: title } = row
  const facts = { campaignId, testId, title, alias: aliasOf(row.ordinal) }
  if (leavesPaid(row, clock.now())) {
    const amountCents = waitingPay(row)
    return notify(tx, developerId, 'WAITING_ENDED_OWNER', { ...facts, amountCents, surplus: surplusOf(row) })
  }
  const ofSeat = { ...facts, ...seatOf(row) }
  if (mayRefuse(row)) return notify(tx, developerId, 'NDA_REFUSED_OWNER', ofSeat)
  return notify(tx, developerId, 'TESTER_DROPPED_OWNER', { ...ofSeat, why: dropWords.LEFT(row.dropHours) })
}

const moveOut = (tx: Tx, tester: SignedIn, row: queries.ParticipationRow): Promise<ledger.Outcome> => {
  if (leavesPaid(row, clock.now())) return endWaiting(tx, tester, row.id)
  if (mayRefuse(row)) return refuse(tx, tester, row.id)
  const { from } = lifecycle.leave
  return ledger.drop(tx, { participationId: row.id, from, reason: 'LEFT' })
}

/** If the developer puts the tester on the list at the same moment, leaving would cost the tester the pay. */
const endWaiting = async (tx: Tx, tester: SignedIn, id: string): Promise<ledger.Outcome> => {
  const outcome = await ledger.closeWaitingSeat(tx, { participationId: id, whenDue: false })
  if (outcome !== 'OK' && !leavesPaid(await queries.participationFor(tx, tester, id), clock.now()))
    throw new DomainError('WRONG_STATE', 'This test has changed in the meantime. Look at it again before you leave.')
  return outcome
}

/** If the developer withdraws the NDA at the same moment, leaving would cost the tester the pay. */
const refuse = async (tx: Tx, tester: SignedIn, id: string): Promise<ledger.Outcome> => {
  const outcome = await ledger.refuseNda(tx, id)
  if (outcome !== 'OK' && !mayRefuse(await queries.participationFor(tx, tester, id)))
    throw new DomainError(
      'WRONG_STATE',
      'The NDA has changed in the meantime. Look at your test again before you leave.',
    )
  return outcome
}
