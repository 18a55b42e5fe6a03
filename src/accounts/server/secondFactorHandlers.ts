import type { Handlers } from '../../kit/endpoint.ts'
import type { secondFactorApi } from '../secondFactorContract.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes, secondFactors } from './secondFactor.ts'
import { finishSignIn, stepUp } from './secondFactorSignIn.ts'

export const secondFactorHandlers: Handlers<typeof secondFactorApi> = {
  secondFactor: ({ body, caller }) => finishSignIn(body, caller),
  stepUp: ({ user, body }) => stepUp(user, body),
  secondFactors: ({ user }) => secondFactors(user),
  beginTotp: ({ user, body }) => beginTotp(user, body.currentPassword),
  confirmTotp: ({ user, body }) => confirmTotp(user, body.code),
  removeTotp: ({ user }) => removeTotp(user),
  renewRecoveryCodes: ({ user }) => renewRecoveryCodes(user),
  beginPasskey: ({ user, body }) => beginPasskey(user, body.currentPassword),
  addPasskey: ({ user, body }) => addPasskey(user, body),
  renamePasskey: ({ user, params, body }) => renamePasskey(user, params.id, body.name),
  removePasskey: ({ user, params }) => removePasskey(user, params.id),
}
