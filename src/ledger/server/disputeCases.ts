/** How admins see and decide disputes. */
import { audit } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import type { Dispute, DisputeCase, DisputeList } from '../disputesContract.ts'
import { whyNotSettle } from '../settledDebts.ts'
import type { DisputeOutcome } from '../terms.ts'
import * as queries from './disputeCases.queries.ts'
import { disputeChanged } from './disputes.ts'
import { isDisputeLost, recordDisputeLost } from './sandbox.ts'

type Query = { limit: number; cursor?: string | undefined; status?: DisputeList | undefined }

export const disputes = async ({ limit, cursor, status }: Query): Promise<Page<Dispute>> => {
  const rows = await queries.list(autocommit, { limit: limit + 1, cursor, status })
  const items = rows.slice(0, limit).map(shown)
  return { items, nextCursor: rows.length > limit ? String(rows[limit - 1]!.seq) : null }
}

const shown = (row: queries.DisputeRow): Dispute => {
  const { id, amountCents, reason, status, openedAt, evidenceDueAt, closedAt, owedCents, giveBackCents } = row
  return {
    id,
    campaign: { id: row.campaignId, title: row.campaignTitle },
    developer: { id: row.developerId, name: row.developerName },
    amountCents,
    reason,
    status,
    openedAt,
    evidenceDueAt,
    closedAt,
    owedCents,
    giveBackCents,
  }
}

export const caseOf = async (id: string, tx: Tx = autocommit): Promise<DisputeCase> => {
  const [row, evidence, settlements] = await Promise.all([
    queries.whole(tx, id),
    queries.evidence(tx, id),
    queries.settlements(tx, id),
  ])
  const { paymentId, paidAt, paymentCents, paymentMethod, note, ended, inside } = row
  const { coveredCents, setOffCents, settledCents, waivedCents, heldCents } = row
  return {
    ...shown(row),
    paymentId,
    paidAt,
    paymentCents,
    paymentMethod,
    note,
    coveredCents,
    setOffCents,
    settledCents,
    waivedCents,
    heldCents,
    decidable: isDecidable(row),
    settleable: whyNotSettle(row) === null,
    settlements: settlements.map(({ recorderId, recorderName, ...recorded }) => ({
      ...recorded,
      recordedBy: { id: recorderId, name: recorderName },
    })),
    ended,
    inside,
    evidence,
  }
}

/** Only the sandbox leaves the outcome to admins, and only if no test value has announced it. */
const isDecidable = ({ provider, tells, status }: Pick<queries.WholeRow, 'provider' | 'tells' | 'status'>) =>
  provider === 'sandbox' && !tells && status === 'OPEN'

export const noteOn = async (admin: SignedIn, id: string, note: string): Promise<DisputeCase> => {
  await transact(async tx => {
    const row = await queries.whole(tx, id)
    await queries.setNote(tx, id, note)
    await audit(tx, admin, {
      action: 'dispute.note',
      subjectType: 'campaign',
      subjectId: row.campaignId,
      facts: { note },
    })
  })
  return caseOf(id)
}

const assertDecidable = (row: queries.WholeRow): void => {
  if (isDecidable(row)) return
  throw new DomainError(
    'WRONG_STATE',
    row.status === 'OPEN'
      ? 'The payment provider decides the outcome of this dispute.'
      : 'This dispute is closed, and its outcome is final.',
  )
}

/** An earlier decision was cut off after it had reached the sandbox. */
const lostAlready = () =>
  new DomainError('WRONG_STATE', 'The provider has already taken this payment back, so the dispute can only be lost.')

type Decision = { outcome: DisputeOutcome; note: string }

/** Tells the sandbox before booking the outcome. After a crash in between, repeating the request completes it. */
export const decide = async (
  admin: SignedIn,
  id: string,
  { outcome, note }: Decision,
  key: string | null,
): Promise<DisputeCase> =>
  transactOnce({
    userId: admin.id,
    key,
    call: 'decideDispute',
    asked: { id, outcome, note },
    subjectId: id,
    effect: async tx => {
      const row = await queries.lockWhole(tx, id)
      assertDecidable(row)
      const { provider, reference, paymentId, amountCents, reason } = row
      if (outcome === 'LOST') await recordDisputeLost(paymentId, amountCents)
      else if (await isDisputeLost(paymentId)) throw lostAlready()
      await queries.setNote(tx, id, note)
      await audit(tx, admin, {
        action: 'dispute.decide',
        subjectType: 'campaign',
        subjectId: row.campaignId,
        facts: { outcome, note },
      })
      const news = { provider, reference, paymentId, amountCents, reason, status: outcome, at: clock.now() }
      await disputeChanged(tx, { ...news, adminId: admin.id })
    },
    answer: disputeId => caseOf(disputeId),
  })
