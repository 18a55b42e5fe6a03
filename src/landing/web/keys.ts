import type { CallInput } from '../../kit/endpoint.ts'
import type { landingApi } from '../contract.ts'

const all = ['landing'] as const

export const landingKeys = {
  all,
  waitlist: (query: CallInput<typeof landingApi.waitlist>['query']) => [...all, 'waitlist', query],
}
