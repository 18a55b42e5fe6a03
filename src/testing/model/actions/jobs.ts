/** What the clock and the queue do without a user, and calls that are repeated. */
import * as campaigns from '../../../campaigns/server/campaigns.ts'
import { lookAtDifference } from '../../../ledger/server/differences.ts'
import { settleDisputes } from '../../../ledger/server/disputes.ts'
import { settleOverdue } from '../../../ledger/server/ledger.ts'
import { workOffEvents } from '../../../ledger/server/providerEvents.ts'
import { lookAtAppeals, wakeParticipations } from '../../../participations/server/participations.ts'
import { type Make, preferred } from './making.ts'

/** The jobs of the clock. */
export const clockJobs = {
  wake: ['the clock looks at tests', () => wakeParticipations.run({})],
  appeals: ['the clock looks at appeals', () => lookAtAppeals.run({})],
  disputes: ['the clock settles disputes', () => settleDisputes.run({})],
  complete: ['the clock completes campaigns', () => campaigns.completeCampaigns.run({})],
} as const

/** Runs every minute; payouts wait for it while a difference may still explain itself. */
export const differenceJob = ['the clock looks at a difference', () => lookAtDifference.run({})] as const

export const eventsJob = ['the events of the sandbox are worked off', () => workOffEvents.run({})] as const

export const overdueJob = ['what is overdue is settled', () => settleOverdue.run({})] as const

export const byJob =
  (
    [label, run]: readonly [string, () => Promise<void>],
    follows: 'followDeadlines' | 'followPayments' | 'followDisputes',
  ): Make =>
  scene => ({
    label,
    run,
    mayFail: true,
    decide: async () => {
      await scene[follows]()
      return null
    },
  })

/** Runs one of the waiting jobs, as a worker would. */
export const job: Make = async (scene, draw) => {
  const waiting = await scene.jobs()
  const among = preferred(draw, waiting, ({ isRare }) => isRare === true)
  const taken = among[draw(among.length)]
  if (!taken) return undefined
  return {
    label: taken.label,
    run: taken.run,
    jobId: taken.id,
    mayFail: true,
    asksProvider: true,
    decide: async () => {
      await scene.followPayments()
      return null
    },
  }
}

/** Repeats an earlier call with its key, as somebody does who got no answer or pressed twice. */
export const again: Make = ({ earlier }, draw) => {
  const made = earlier.at(-1 - draw(Math.min(earlier.length, 12)))
  return made && { ...made, label: `again: ${made.label}` }
}
