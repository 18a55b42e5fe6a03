/** Mounts every slice: its endpoints and its jobs. Wiring only. */
import type { FastifyInstance } from 'fastify'
import { accountApi } from '../../accounts/contract.ts'
import { accountHandlers } from '../../accounts/server/handlers.ts'
import { campaignApi } from '../../campaigns/contract.ts'
import { completeCampaigns } from '../../campaigns/server/campaigns.ts'
import { campaignHandlers } from '../../campaigns/server/handlers.ts'
import { ledgerApi } from '../../ledger/contract.ts'
import { ledgerHandlers } from '../../ledger/server/handlers.ts'
import { payOut, payRefund } from '../../ledger/server/ledger.ts'
import { sendMail } from '../../notifications/server/notifications.ts'
import { participationApi } from '../../participations/contract.ts'
import { participationHandlers } from '../../participations/server/handlers.ts'
import { wakeParticipations } from '../../participations/server/participations.ts'
import type { Endpoint } from '../endpoint.ts'
import { housekeeping } from './housekeeping.ts'
import { mount } from './http.ts'
import type { AnyJob } from './jobs.ts'
import { mountTestClock } from './testClock.ts'

/** Every endpoint table: the walk over all of them (access, hostile input) reads this list as well. */
export const apiTables = {
  accounts: accountApi,
  campaigns: campaignApi,
  participations: participationApi,
  ledger: ledgerApi,
} satisfies Record<string, Record<string, Endpoint>>

/** In the order in which the test clock runs them: deadlines first, then what follows from them. */
export const allJobs: readonly AnyJob[] = [
  wakeParticipations,
  completeCampaigns,
  payOut,
  payRefund,
  sendMail,
  housekeeping,
]

export const mountRoutes = async (app: FastifyInstance, env: { FIELDTEST_TEST_CLOCK: boolean; RATE_LIMIT: boolean }): Promise<void> => {
  mount(app, 'accounts', accountApi, accountHandlers({ limited: env.RATE_LIMIT }))
  mount(app, 'campaigns', campaignApi, campaignHandlers)
  mount(app, 'participations', participationApi, participationHandlers)
  mount(app, 'ledger', ledgerApi, ledgerHandlers)
  if (env.FIELDTEST_TEST_CLOCK) mountTestClock(app)
}
