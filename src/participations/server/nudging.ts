/** The developer reminds a tester of the next step. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester } from '../contract.ts'
import { nextStepOf } from '../optIn.ts'
import { act } from './actions.ts'
import { setNudged } from './optIn.queries.ts'

export const nudge = (owner: SignedIn, id: string, key: string | null = null): Promise<CampaignTester> =>
  act({ user: owner, id, action: 'nudge', key }, async (tx, row, now) => {
    const step = nextStepOf(row, now)
    // The rule allows no others.
    if (step === null || step === 'WAIT_FOR_LIST' || step === 'STAY') return
    await setNudged(tx, id, now)
    await notify(tx, row.testerId, 'NUDGE', { testId: id, title: row.campaignTitle, step })
  })
