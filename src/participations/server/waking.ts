/**
 * Deadlines. Testers without a check-in, an opt-in, or a proof that is due are warned and then dropped. Proofs that nobody
 * reviewed are verified. A tester who was not put on the tester list is paid a day, and the seat is closed. A rejection that
 * nobody appealed becomes final, and frees the seat.
 */
import { clock } from '../../kit/clock.ts'
import type { Due, Hold } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { deadlines } from '../../kit/server/downtimes.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { type Notice, notice, notifyMany } from '../../notifications/server/notifications.ts'
import { dropWords } from '../dropWords.ts'
import { onWake, proofDueAt, waitingPay, type Waking, type Warning, wakeAt } from '../deadlines.ts'
import { mayReportNoAccessAt, stayDaysOf } from '../optIn.ts'
import { aliasOf, lifecycle } from '../rules.ts'
import { countsFromOptIn } from '../situation.ts'
import * as queries from './due.queries.ts'
import type { ParticipationRow } from './queries.ts'
import { isRejectedByAdmin, seatOf, surplusOf } from './seatFacts.ts'
import { tellOfWaiting } from './waiting.ts'

export const wakeParticipations = deadlines('participations.wake', () => {
  const now = clock.now()
  // Each batch that closes seats updates its campaigns' counts, and makes one refund to each developer for all of them.
  return { load: page => queries.dueToWake(autocommit, now, page), groupOf: ({ campaignId }) => campaignId, run: wake }
})

/** A test whose developer is warned. */
export type Warned = { id: string; campaignId: string; alias: string }
/** By the test's id, a sentence that says what the developer would lose if the tester left. A later slice provides it. */
type Costs = (tx: Tx, tests: readonly Warned[], now: string) => Promise<ReadonlyMap<string, string>>
let costsOf: Costs = async () => new Map()
export const useCosts = (given: Costs): void => {
  costsOf = given
}

type AnyWoken = { row: ParticipationRow; waking: Waking }
type Woken<Does extends Waking['does']> = { row: ParticipationRow; waking: Extract<Waking, { does: Does }> }

/** Locks the tests and their campaigns, so that nothing changes between the rules and the writes. */
const wake = async (tx: Tx, due: readonly Due[], hold: Hold): Promise<string[]> => {
  const now = clock.now()
  const ids = due.map(({ id }) => id)
  const rows = await queries.lockDueToWake(tx, ids, now, hold)
  const woken = await thatCanBePaid(
    tx,
    rows.map(row => ({ row, waking: onWake(row, now) })),
    hold,
  )
  const thatDo = <Does extends Waking['does']>(does: Does) =>
    woken.filter((one): one is Woken<Does> => one.waking.does === does)
  const [drops, ended, verified] = [thatDo('DROP'), thatDo('END_WAITING'), thatDo('VERIFY')]
  const rejections = thatDo('END_REJECTION')

  const risks = thatDo('WARN')
  const costs = await costsOf(tx, risks.filter(({ row }) => countsFromOptIn(row)).map(riskOf), now)
  const warnings = risks.map(risk => warned(risk, costs.get(risk.row.id) ?? null))
  // The reason to wake them is gone, for example because the developer has put them on the list: stores the next time.
  const settled = thatDo('NOTHING').map(({ row }) => ({ ...row, wakeAt: wakeAt(row) }))
  await queries.setAwaited(tx, [...warnings.map(({ test }) => test), ...settled])
  const waiting = await tellOfWaiting(
    tx,
    thatDo('TELL_OF_WAITING').map(({ row }) => row.campaignId),
  )
  await notifyMany(tx, [
    ...warnings.flatMap(({ notices }) => notices),
    ...waiting,
    ...drops.flatMap(ofDrop),
    ...ended.flatMap(ofEndedWait),
    ...verified.flatMap(({ row }) => ofVerified(row, now)),
    ...rejections.map(({ row }) => ofFinalRejection(row)),
  ])
  await ledger.dropWhenDue(tx, {
    from: lifecycle.leave.from,
    drops: drops.map(({ row, waking }) => ({ id: row.id, reason: waking.reason })),
  })
  await ledger.closeRejections(
    tx,
    rejections.map(({ row }) => row.id),
  )
  await ledger.closeWaitingSeats(
    tx,
    ended.map(({ row }) => row.id),
  )
  await ledger.verifyUnreviewed(
    tx,
    verified.map(({ row }) => row.id),
  )
  return woken.map(({ row }) => row.id)
}

/** Leaves out tests whose testers another transaction is paying, unless the batch waits for locks. */
const thatCanBePaid = async (tx: Tx, woken: readonly AnyWoken[], hold: Hold) => {
  if (hold === 'WAIT') return woken
  const isPaid = ({ waking: { does } }: AnyWoken) => does === 'VERIFY' || does === 'END_WAITING'
  const payees = new Set(woken.filter(isPaid).map(({ row }) => row.testerId))
  const free = new Set(await ledger.holdFreeBalances(tx, [...payees]))
  return woken.filter(({ row }) => !payees.has(row.testerId) || free.has(row.testerId))
}

const ofDrop = ({ row, waking }: Woken<'DROP'>): Notice[] => {
  const { id: testId, campaignId, campaignTitle: title, testerId, developerId, dropHours: hours } = row
  return [
    notice(testerId, 'TESTER_DROPPED', { testId, title, hours, reason: waking.reason }),
    notice(developerId, 'TESTER_DROPPED_OWNER', {
      campaignId,
      testId,
      title,
      alias: aliasOf(row.ordinal),
      why: dropWords[waking.reason](hours),
      ...seatOf(row),
    }),
  ]
}

const ofEndedWait = ({ row }: Woken<'END_WAITING'>): Notice[] => {
  const { id: testId, campaignId, testerId, developerId } = row
  const facts = { testId, title: row.campaignTitle, amountCents: waitingPay(row) }
  return [
    notice(testerId, 'WAITING_ENDED', facts),
    notice(developerId, 'WAITING_ENDED_OWNER', {
      campaignId,
      alias: aliasOf(row.ordinal),
      surplus: surplusOf(row),
      ...facts,
    }),
  ]
}

/** Also tells the developer if an admin was asked to consent to its rejection and did not decide. */
const ofVerified = (row: ParticipationRow, now: string): Notice[] => {
  const { campaignId, developerId, consent } = row
  const facts = { testId: row.id, title: row.campaignTitle, amountCents: row.payPerTesterCents }
  const told = notice(row.testerId, 'TEST_VERIFIED', { ...facts, stayDays: stayDaysOf(row, now) })
  if (consent !== 'WAITING') return [told]
  return [told, notice(developerId, 'CONSENT_LAPSED', { campaignId, alias: aliasOf(row.ordinal), ...facts })]
}

/** The rejection itself had told the tester when it becomes final. */
const ofFinalRejection = (row: ParticipationRow): Notice => {
  const { id: testId, campaignId, campaignTitle: title, developerId } = row
  const facts = { campaignId, testId, title, alias: aliasOf(row.ordinal), ...seatOf(row) }
  return notice(developerId, 'REJECTION_FINAL_OWNER', { ...facts, byAdmin: isRejectedByAdmin(row) })
}

const riskOf = ({ row: { id, campaignId, ordinal } }: Woken<'WARN'>): Warned => ({
  id,
  campaignId,
  alias: aliasOf(ordinal),
})

/** The tester gets every warning; the developer is told once that the seat is at risk. */
const warned = ({ row, waking: { warnings } }: Woken<'WARN'>, cost: string | null) => {
  const isOf = (wait: Warning['of']) => warnings.some(warning => warning.of === wait)
  const told = {
    ...row,
    atRisk: row.atRisk || isOf('CHECK_IN') || isOf('OPT_IN') || isOf('NDA'),
    proofWarned: row.proofWarned || isOf('PROOF'),
  }
  const notices = warnings.map(warning => toTester(row, warning))
  const [first] = warnings
  if (first && !row.atRisk) notices.push(toOwner(row, first, cost))
  return { test: { ...told, wakeAt: wakeAt(told) }, notices }
}

/** Whether the days are over, so that a proof keeps the seat as a check-in does. */
const isProofDue = ({ proofAllowedAt }: ParticipationRow) => proofAllowedAt !== null && proofAllowedAt <= clock.now()

const isToBeChanged = ({ status }: ParticipationRow) => status === 'CHANGES_REQUESTED'

const toTester = (row: ParticipationRow, { of, dropsAt }: Warning): Notice => {
  const { id: testId, campaignTitle: title, testerId, atRiskHours: hours } = row
  const facts = { testId, title, dropsAt, hours }
  const proofUntil = proofDueAt(row)
  switch (of) {
    case 'CHECK_IN':
      return notice(testerId, 'TESTER_AT_RISK', { ...facts, proofDue: isProofDue(row) })
    case 'PROOF':
      return notice(testerId, 'PROOF_LATE', {
        ...facts,
        changes: isToBeChanged(row),
        checkInUntil: proofUntil === dropsAt ? null : proofUntil,
      })
    case 'OPT_IN':
      return notice(testerId, 'OPT_IN_LATE', { ...facts, mayReport: mayReportNoAccessAt(row) !== null })
    case 'NDA':
      return notice(testerId, 'NDA_LATE', facts)
  }
}

const ownerKinds = {
  CHECK_IN: 'TESTER_AT_RISK_OWNER',
  PROOF: 'PROOF_LATE_OWNER',
  OPT_IN: 'OPT_IN_LATE_OWNER',
  NDA: 'NDA_LATE_OWNER',
} as const

const toOwner = (row: ParticipationRow, { of, dropsAt }: Warning, cost: string | null): Notice => {
  const { id: testId, campaignId, campaignTitle: title, developerId, atRiskHours: hours } = row
  const alias = aliasOf(row.ordinal)
  const told = { proofDue: isProofDue(row), changes: isToBeChanged(row) }
  const facts = { campaignId, testId, title, alias, dropsAt, hours, cost, ...told }
  return notice(developerId, ownerKinds[of], facts)
}
