import type { CallInput } from '../../kit/endpoint.ts'
import type { campaignApi } from '../contract.ts'

const all = ['campaigns'] as const

export const campaignKeys = {
  all,
  /** Pages that are loaded one after the other. */
  list: (query: CallInput<typeof campaignApi.list>['query']) => [...all, 'list', query],
  available: (query: CallInput<typeof campaignApi.available>['query']) => [...all, 'available', query],
  pending: [...all, 'pending'],
  pendingLinks: [...all, 'pending-links'],
  escrow: [...all, 'escrow'],
  /** One page only. */
  recent: [...all, 'recent'],
  search: (words: string) => [...all, 'search', words],
  one: (id: string) => [...all, 'one', id],
  daysDone: (id: string) => [...all, 'days-done', id],
  newTerms: [...all, 'new-terms'],
}
