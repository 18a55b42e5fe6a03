import type { CallInput } from '../../kit/endpoint.ts'
import type { fraudApi } from '../contract.ts'

const all = ['fraud'] as const
const lists = [...all, 'list']

export const fraudKeys = {
  all,
  lists,
  list: (query: CallInput<typeof fraudApi.list>['query']) => [...lists, query],
  one: (id: string) => [...all, 'one', id],
  stats: [...all, 'stats'],
}
