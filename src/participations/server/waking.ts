/**
 * Deadlines: testers without a check-in, an opt-in, or a proof that is due, are warned and then dropped; proofs that nobody
 * reviewed are verified; who was not put on the tester list is paid a day, and the seat is closed.
 */
import { clock } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { eachDue, type Job } from '../../kit/server/jobs.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { onWake, waitingPay, type Warning, wakeAt } from '../deadlines.ts'
import { mustStay } from '../optIn.ts'
import { aliasOf, lifecycle } from '../rules.ts'
import { tellOfWaiting } from './waiting.ts'
import * as queries from './queries.ts'

export const wakeParticipations: Job<object> = {
  name: 'participations.wake',
  cron: '* * * * *',
  expireMinutes: 120,
  retried: false,
  run: () => eachDue(page => queries.dueIds(autocommit, clock.now(), page), wake),
}

/** Thrown to roll back the notifications of a change that came too late. */
class Overtaken extends Error {}

const wake = async ({ id }: { id: string }): Promise<void> => {
  try {
    await transact(tx => wakeInside(tx, id))
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
  }
}

const wakeInside = async (tx: Tx, id: string): Promise<void> => {
  const row = await queries.participationById(tx, id)
  const { campaignId, campaignTitle: title, testerId, developerId } = row
  const alias = aliasOf(row.ordinal)
  const waking = onWake(row, clock.now())
  switch (waking.does) {
    case 'NOTHING':
      return settle(tx, id)
    case 'TELL_OF_WAITING':
      return tellOfWaiting(tx, row)
    case 'END_WAITING': {
      const facts = { title, amountCents: waitingPay(row) }
      await notify(tx, testerId, 'WAITING_ENDED', { testId: id, ...facts })
      await notify(tx, developerId, 'WAITING_ENDED_OWNER', { campaignId, testId: id, alias, ...facts })
      if ((await ledger.closeWaitingSeat(tx, { participationId: id, whenDue: true })) !== 'OK') throw new Overtaken()
      return
    }
    case 'WARN': {
      const seen = await queries.lockParticipation(tx, id)
      const stillDue = onWake(seen, clock.now())
      if (stillDue.does !== 'WARN') return
      return warn(tx, seen, stillDue.warnings)
    }
    case 'DROP': {
      await notify(tx, testerId, 'TESTER_DROPPED', { testId: id, title, hours: row.dropHours, reason: waking.reason })
      await notify(tx, developerId, 'TESTER_DROPPED_OWNER', { campaignId, testId: id, title, alias })
      const closing = {
        participationId: id,
        from: lifecycle.leave.from,
        to: 'DROPPED',
        dropReason: waking.reason,
        whenDue: true,
      } as const
      if ((await ledger.closeUnpaid(tx, closing)) !== 'OK') throw new Overtaken()
      return
    }
    case 'VERIFY':
      await notify(tx, testerId, 'TEST_VERIFIED', {
        testId: id,
        title,
        amountCents: row.payPerTesterCents,
        stay: mustStay(row, clock.now()),
      })
      if ((await ledger.verifyParticipation(tx, id, null)) !== 'OK') throw new Overtaken()
  }
}

/** What it was to be woken for is gone, such as a wait that the developer has ended: the next time is stored. */
const settle = async (tx: Tx, id: string): Promise<void> => {
  const row = await queries.lockParticipation(tx, id)
  if (onWake(row, clock.now()).does === 'NOTHING') await queries.setWakeAt(tx, id, wakeAt(row))
}

/** Tells the developer once that the seat is at risk. */
const warn = async (tx: Tx, row: queries.ParticipationRow, warnings: readonly Warning[]): Promise<void> => {
  const { id, campaignId, campaignTitle: title, testerId, developerId, atRiskHours: hours } = row
  const isOf = (wait: Warning['of']) => warnings.some(warning => warning.of === wait)
  const warned = {
    atRisk: row.atRisk || isOf('CHECK_IN') || isOf('OPT_IN'),
    proofWarned: row.proofWarned || isOf('PROOF'),
  }
  await queries.setWarned(tx, id, { ...warned, wakeAt: wakeAt({ ...row, ...warned }) })
  for (const { of, dropsAt } of warnings) {
    await notify(tx, testerId, warningKinds[of].tester, { testId: id, title, dropsAt, hours })
  }
  const [first] = warnings
  if (row.atRisk || !first) return
  const facts = { campaignId, testId: id, title, alias: aliasOf(row.ordinal), dropsAt: first.dropsAt, hours }
  await notify(tx, developerId, warningKinds[first.of].owner, facts)
}

const warningKinds = {
  CHECK_IN: { tester: 'TESTER_AT_RISK', owner: 'TESTER_AT_RISK_OWNER' },
  PROOF: { tester: 'PROOF_LATE', owner: 'PROOF_LATE_OWNER' },
  OPT_IN: { tester: 'OPT_IN_LATE', owner: 'OPT_IN_LATE_OWNER' },
} as const
