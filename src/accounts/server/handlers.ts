import type { Handlers } from '../../app/endpoint.ts'
import type { accountApi } from '../contract.ts'
import { login, logout, me, refresh, register, updateMe } from './accounts.ts'

export const accountHandlers = (options: { limited: boolean }): Handlers<typeof accountApi> => ({
  register: ({ body, caller }) => register(body, caller),
  login: ({ body, caller }) => login(body, caller, options),
  refresh: ({ body }) => refresh(body.refreshToken),
  logout: ({ user }) => logout(user),
  me: ({ user }) => me(user),
  updateMe: ({ user, body }) => updateMe(user, body),
})
