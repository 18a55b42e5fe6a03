import { type ReactNode, createContext, use, useMemo, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { ownTimeZone } from '../../kit/clock.ts'
import type { CallInput } from '../../kit/endpoint.ts'
import { paths } from '../../kit/paths.ts'
import { deviceFingerprint } from '../../kit/web/deviceFingerprint.ts'
import { logFailure } from '../../kit/web/log.ts'
import { type SessionUser, session } from '../../kit/web/session.ts'
import type { accountApi } from '../contract.ts'
import { api } from './calls.ts'

type Auth = {
  /** Null if nobody is signed in. */
  user: SessionUser | null
  /** True while logging out; screens then cancel their requests, which would be refused. */
  leaving: boolean
  login: (credentials: CallInput<typeof accountApi.login>['body']) => Promise<void>
  register: (registration: Omit<CallInput<typeof accountApi.register>['body'], 'timeZone'>) => Promise<void>
  /**
   * Ends the session here and, if the server can be reached, there too; then goes to the home page. Asks first if a form was
   * changed.
   */
  logout: () => void
}

const AuthContext = createContext<Auth | null>(null)

export const useAuth = (): Auth => {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

const login: Auth['login'] = async credentials =>
  session.signIn(await api.login({ body: { ...credentials, deviceFingerprint: deviceFingerprint() } }))

const register: Auth['register'] = async registration => {
  const timeZone = ownTimeZone()
  const body = { ...registration, ...(timeZone !== null && { timeZone }), deviceFingerprint: deviceFingerprint() }
  session.signIn(await api.register({ body }))
}

const tellServer = async (userId: string | undefined) => {
  try {
    await api.logout({ body: userId ? { userId } : null, signal: AbortSignal.timeout(5000) })
  } catch (error) {
    logFailure('Logout failed', error)
  }
}

export const AuthProvider = ({ children }: { children: ReactNode }) => {
  const navigate = useNavigate()
  const user = useSyncExternalStore(session.subscribe, session.user)
  const [leaver, setLeaver] = useState<SessionUser | null>(null)
  const auth = useMemo<Auth>(() => {
    const leave = async () => {
      setLeaver(user)
      await tellServer(user?.id)
      // The home page is a separate document; until it loads, the guard must not redirect to the sign-in page.
      await navigate(paths.home)
      session.leave()
    }
    return {
      user,
      leaving: user !== null && user === leaver,
      login,
      register,
      logout: () => session.beforeLeaving(() => void leave()),
    }
  }, [user, leaver, navigate])
  return <AuthContext value={auth}>{children}</AuthContext>
}
