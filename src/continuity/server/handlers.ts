import type { Handlers } from '../../kit/endpoint.ts'
import type { continuityApi } from '../contract.ts'
import { ofCampaign, recordPlayCount, removePlayCount } from './continuity.ts'

export const continuityHandlers: Handlers<typeof continuityApi> = {
  ofCampaign: ({ user, params }) => ofCampaign(user, params.id),
  recordPlayCount: ({ user, params, body }) => recordPlayCount(user, { ...params, ...body }),
  removePlayCount: ({ user, params }) => removePlayCount(user, params),
}
