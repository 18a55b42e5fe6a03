/** The clock's part: testers who fell silent are warned and then dropped, proofs nobody reviewed are verified. */
import { clock } from '../../app/clock.ts'
import { autocommit, transact, type Tx } from '../../app/server/db.ts'
import { eachDue, type Job } from '../../app/server/jobs.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { tell } from '../../notifications/server/notifications.ts'
import { aliasOf, deadlineOf, lifecycle, onWake, wakeAt } from '../rules.ts'
import * as queries from './queries.ts'

export const wakeParticipations: Job<object> = {
  name: 'participations.wake',
  cron: '* * * * *',
  run: () => eachDue(limit => queries.dueIds(autocommit, clock.now(), limit), wake),
}

/** Thrown to undo the letters of a change that came too late. */
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
      return
    case 'WARN': {
      const seen = await queries.lockParticipation(tx, id)
      if (onWake(seen, clock.now()).does !== 'WARN') return
      const dropsAt = deadlineOf(seen)!
      await queries.setAtRisk(tx, id, wakeAt({ ...seen, atRisk: true }))
      await tell(tx, testerId, 'TESTER_AT_RISK', { testId: id, title, dropsAt, hours: seen.atRiskHours })
      return tell(tx, developerId, 'TESTER_AT_RISK_OWNER', {
        campaignId,
        title,
        alias,
        dropsAt,
        hours: seen.atRiskHours,
      })
    }
    case 'DROP': {
      await tell(tx, testerId, 'TESTER_DROPPED', { testId: id, title, hours: row.dropHours })
      await tell(tx, developerId, 'TESTER_DROPPED_OWNER', { campaignId, title, alias })
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
      await tell(tx, testerId, 'TEST_VERIFIED', { testId: id, title, amountCents: row.payPerTesterCents })
      if ((await ledger.verifyParticipation(tx, id, null)) !== 'OK') throw new Overtaken()
  }
}
