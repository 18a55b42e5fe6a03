import type { Handlers } from '../../kit/endpoint.ts'
import type { testerListApi } from '../contract.ts'
import * as testerLists from './testerLists.ts'

export const testerListHandlers: Handlers<typeof testerListApi> = {
  get: ({ user, params }) => testerLists.get(user, params.id),
  export: ({ user, params, query }) => testerLists.exportList(user, params.id, query.form),
  confirm: ({ user, params, body }) => testerLists.confirm(user, params.id, body),
  applied: ({ user, params }) => testerLists.applied(user, params.id),
}
