import type { Handlers } from '../../kit/endpoint.ts'
import type { accountApi } from '../contract.ts'
import { changePassword, endAllOwnSessions, endOtherSessions, endOwnSession, ownSessions } from './ownSessions.ts'
import { deleteMe } from './deleting.ts'
import { exportMe } from './exporting.ts'
import { login, logout, register } from './accounts.ts'
import { confirmOwnEmail, sendConfirmation, verifyEmail } from './confirmation.ts'
import { cancelEmailChange, requestEmailChange } from './emailChange.ts'
import { undoEmailChange } from './emailChangeUndo.ts'
import { forgotPassword, resetPassword } from './passwordReset.ts'
import { me, updateMe } from './profile.ts'
import { refresh } from './refresh.ts'
import { limitRegistrations } from './registrationLimit.ts'

type Options = {
  /** False when rate limits are off (tests). */
  limited: boolean
  /** For one network. */
  registrationsPerHour: number
}

export const accountHandlers = ({ limited, registrationsPerHour }: Options): Handlers<typeof accountApi> => ({
  register: ({ body, caller }) =>
    limitRegistrations(caller.ip, limited ? registrationsPerHour : null, () => register(body, caller)),
  login: ({ body, caller }) => login(body, caller, { limited }),
  refresh: ({ body }) => refresh(body),
  logout: ({ user }) => logout(user),
  me: ({ user }) => me(user),
  updateMe: ({ user, body }) => updateMe(user, body),
  changePassword: ({ user, body }) => changePassword(user, body.currentPassword, body.newPassword),
  sessions: ({ user }) => ownSessions(user),
  endSessions: ({ user }) => endAllOwnSessions(user),
  endOtherSessions: ({ user, body }) => endOtherSessions(user, body.currentPassword),
  endSession: ({ user, params, body }) => endOwnSession(user, params.id, body.currentPassword),
  forgotPassword: ({ body, caller }) => forgotPassword(body.email, caller, { limited }),
  resetPassword: ({ body }) => resetPassword(body.token, body.password),
  verifyEmail: ({ body, caller }) => verifyEmail(body, caller, { limited }),
  confirmEmail: ({ user, body }) => confirmOwnEmail(user, body.token),
  sendConfirmation: ({ user }) => sendConfirmation(user, { limited }),
  changeEmail: ({ user, body }) => requestEmailChange(user, body, { limited }),
  cancelEmailChange: ({ user }) => cancelEmailChange(user),
  undoEmailChange: ({ body }) => undoEmailChange(body.token),
  exportMe: ({ user }) => exportMe(user),
  deleteMe: ({ user, body }) => deleteMe(user, body),
})
