import type { CallInput } from '../../kit/endpoint.ts'
import type { auditApi } from '../contract.ts'

const all = ['audit'] as const

export const auditKeys = {
  all,
  log: (query: CallInput<typeof auditApi.auditLog>['query']) => [...all, 'log', query],
}
