import { type ReactNode, createContext, use, useMemo, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { accountApi } from '../../accounts/contract.ts'
import { type CallInput } from '../endpoint.ts'
import { client } from './api.ts'
import { deviceFingerprint } from './deviceFingerprint.ts'
import { logFailure } from './log.ts'
import { paths } from '../paths.ts'
import { type SessionUser, session } from './session.ts'

type Auth = {
  /** Null when nobody is signed in. */
  user: SessionUser | null
  /** Logging out: screens give up what they still ask for, which would be refused in a moment. */
  leaving: boolean
  login: (credentials: CallInput<typeof accountApi.login>['body']) => Promise<void>
  register: (registration: Omit<CallInput<typeof accountApi.register>['body'], 'timeZone'>) => Promise<void>
  /** Ends the session here and, when it can be reached, on the server; then goes to the front page. */
  logout: () => Promise<void>
}

const AuthContext = createContext<Auth | null>(null)

export const useAuth = (): Auth => {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

/** The signed-in user, for screens behind the guard. */
export const useUser = (): SessionUser => {
  const { user } = useAuth()
  if (!user) throw new Error('This screen needs a signed-in user')
  return user
}

const accounts = client('accounts')

const login: Auth['login'] = async credentials =>
  session.signIn(await accounts.login({ body: { ...credentials, deviceFingerprint: deviceFingerprint() } }))

const register: Auth['register'] = async registration => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const body = { ...registration, timeZone, deviceFingerprint: deviceFingerprint() }
  session.signIn(await accounts.register({ body }))
}

const tellServer = async (userId: string | undefined) => {
  try {
    await accounts.logout({ body: userId ? { userId } : null, signal: AbortSignal.timeout(5000) })
  } catch (error) {
    logFailure('Logout failed', error)
  }
}

export const AuthProvider = ({ children }: { children: ReactNode }) => {
  const navigate = useNavigate()
  const user = useSyncExternalStore(session.subscribe, session.user)
  const [leaver, setLeaver] = useState<SessionUser | null>(null)
  const auth = useMemo<Auth>(
    () => ({
      user,
      leaving: user !== null && user === leaver,
      login,
      register,
      logout: async () => {
        setLeaver(user)
        await tellServer(user?.id)
        // The front page is a document of its own; until it comes, the guard must not send to the sign-in page instead.
        await navigate(paths.home)
        session.leave()
      },
    }),
    [user, leaver, navigate],
  )
  return <AuthContext value={auth}>{children}</AuthContext>
}
