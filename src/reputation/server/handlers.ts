import type { Handlers } from '../../kit/endpoint.ts'
import type { reputationApi } from '../contract.ts'
import * as reputation from './reputation.ts'

export const reputationHandlers: Handlers<typeof reputationApi> = {
  testers: ({ user, params }) => reputation.ofTesters(user, params.id),
  developers: ({ query }) => reputation.ofDevelopers(query.ids),
  own: ({ user }) => reputation.own(user),
}
