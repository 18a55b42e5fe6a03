/** Everything that a user, the clock or a job can do with money: the product's use cases, and what the books say about each. */
import {
  approve,
  cancel,
  closeSeat,
  create,
  pause,
  rejectCampaign,
  rename,
  start,
  submitCampaign,
  update,
} from './campaigns.ts'
import { debtSettled, dispute, disputeDecided, disputeGoesOn, disputeTold, settlementGivenBack } from './disputes.ts'
import { askAnew, cancelAging, extend } from './escrow.ts'
import { again, byJob, clockJobs, differenceJob, eventsJob, job, overdueJob } from './jobs.ts'
import { begins, type Make } from './making.ts'
import { fund, renew } from './payments.ts'
import { changeMethod, payoutReturns, withdrawal } from './payouts.ts'
import { ban, deleteAccount, settings, unban } from './people.ts'
import { appeal, decideAppeal, rejectProof, requestChanges, verify } from './reviews.ts'
import type { Attempt, Draw, Scene } from './scene.ts'
import { checkIn, joinCampaign, leave, submitProof } from './tests.ts'

const kinds: Record<string, { weight: number; make: Make }> = {
  create: { weight: 6, make: create },
  fund: { weight: 12, make: fund },
  update: { weight: 2, make: update },
  rename: { weight: 3, make: rename },
  submitCampaign: { weight: 2, make: submitCampaign },
  approve: { weight: 10, make: approve },
  rejectCampaign: { weight: 1, make: rejectCampaign },
  start: { weight: 10, make: start },
  pause: { weight: 1, make: pause },
  cancel: { weight: 1, make: cancel },
  extend: { weight: 3, make: extend },
  askAnew: { weight: 18, make: askAnew },
  renew: { weight: 12, make: renew },
  cancelAging: { weight: 1, make: cancelAging },
  closeSeat: { weight: 4, make: closeSeat },
  join: { weight: 18, make: joinCampaign },
  checkIn: { weight: 9, make: checkIn },
  submitProof: { weight: 16, make: submitProof },
  leave: { weight: 1, make: leave },
  verify: { weight: 12, make: verify },
  requestChanges: { weight: 3, make: requestChanges },
  rejectProof: { weight: 4, make: rejectProof },
  appeal: { weight: 6, make: appeal },
  decideAppeal: { weight: 4, make: decideAppeal },
  withdraw: { weight: 12, make: withdrawal },
  changeMethod: { weight: 2, make: changeMethod },
  ban: { weight: 2, make: ban },
  unban: { weight: 3, make: unban },
  deleteAccount: { weight: 1, make: deleteAccount },
  settings: { weight: 1, make: settings },
  job: { weight: 12, make: job },
  payoutReturns: { weight: 1, make: payoutReturns },
  dispute: { weight: 3, make: dispute },
  disputeGoesOn: { weight: 5, make: disputeGoesOn },
  disputeTold: { weight: 3, make: disputeTold },
  disputeDecided: { weight: 2, make: disputeDecided },
  debtSettled: { weight: 3, make: debtSettled },
  settlementGivenBack: { weight: 1, make: settlementGivenBack },
  events: { weight: 2, make: byJob(eventsJob, 'followDisputes') },
  settleDisputes: { weight: 4, make: byJob(clockJobs.disputes, 'followDisputes') },
  wake: { weight: 3, make: byJob(clockJobs.wake, 'followDeadlines') },
  appeals: { weight: 2, make: byJob(clockJobs.appeals, 'followDeadlines') },
  complete: { weight: 3, make: byJob(clockJobs.complete, 'followDeadlines') },
  difference: { weight: 2, make: byJob(differenceJob, 'followDisputes') },
  overdue: { weight: 2, make: byJob(overdueJob, 'followPayments') },
  again: { weight: 5, make: again },
}

const total = Object.values(kinds).reduce((sum, { weight }) => sum + weight, 0)

/** Draws an action until there is somebody and something for it. */
export const nextAttempt = async (scene: Scene, draw: Draw, key: string): Promise<Attempt> => {
  for (;;) {
    let at = draw(total)
    const [name, { make }] = Object.entries(kinds).find(([, { weight }]) => (at -= weight) < 0)!
    const made = await make(scene, draw, key)
    if (made) return { name, decides: begins, ...made }
  }
}
