import type { Handlers } from '../../kit/endpoint.ts'
import type { landingApi } from '../contract.ts'
import { joinWaitlist, listWaitlist, pricing } from './landing.ts'

export const landingHandlers = (options: { limited: boolean }): Handlers<typeof landingApi> => ({
  joinWaitlist: ({ body, caller }) => joinWaitlist(body, caller, options),
  pricing,
  waitlist: ({ query }) => listWaitlist(query),
})
