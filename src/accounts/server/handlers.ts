import type { Handlers } from '../../kit/endpoint.ts'
import type { accountApi } from '../contract.ts'
import { changePassword, endAllOwnSessions, endOwnSession, ownSessions } from './ownSessions.ts'
import { deleteMe, exportMe } from './privacy.ts'
import { login, logout, me, refresh, register, updateMe } from './accounts.ts'
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
  refresh: ({ body }) => refresh(body.refreshToken),
  logout: ({ user }) => logout(user),
  me: ({ user }) => me(user),
  updateMe: ({ user, body }) => updateMe(user, body),
  changePassword: ({ user, body }) => changePassword(user, body.currentPassword, body.newPassword),
  sessions: ({ user }) => ownSessions(user),
  endSessions: ({ user }) => endAllOwnSessions(user),
  endSession: ({ user, params }) => endOwnSession(user, params.id),
  exportMe: ({ user }) => exportMe(user),
  deleteMe: ({ user, body }) => deleteMe(user, body.password),
})
