import type { Handlers } from '../../kit/endpoint.ts'
import type { ndaApi } from '../contract.ts'
import * as nda from './nda.ts'

export const ndaHandlers: Handlers<typeof ndaApi> = {
  get: ({ user, params }) => nda.get(user, params.id),
  version: ({ user, params, query }) => nda.version(user, params.id, query.version),
  set: ({ user, params, body }) => nda.set(user, params.id, body.text),
  remove: ({ user, params }) => nda.remove(user, params.id),
  acceptances: ({ user, params, query }) => nda.acceptances(user, params.id, query),
  export: ({ user, params }) => nda.exportNames(user, params.id),
}
