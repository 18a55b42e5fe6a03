import type { CallInput } from '../../kit/endpoint.ts'
import type { peopleApi } from '../contract.ts'

const all = ['people'] as const

export const peopleKeys = {
  all,
  list: (query: CallInput<typeof peopleApi.list>['query']) => [...all, 'list', query],
  search: (words: string) => [...all, 'search', words],
  one: (id: string) => [...all, 'one', id],
  counts: [...all, 'counts'],
  security: [...all, 'security'],
}
