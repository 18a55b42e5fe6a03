import { type ReactNode, Suspense, createContext, lazy, use, useMemo, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { ownTimeZone } from '../../kit/clock.ts'
import type { CallInput } from '../../kit/endpoint.ts'
import { paths } from '../../kit/paths.ts'
import { deviceFingerprint } from '../../kit/web/deviceFingerprint.ts'
import { unsentHere } from '../../kit/web/drafts.ts'
import { logFailure } from '../../kit/web/log.ts'
import { type SessionUser, session } from '../../kit/web/session.ts'
import type { accountApi } from '../contract.ts'
import { api } from './calls.ts'
import type { Leaving } from './UnsentDialog.tsx'

const UnsentDialog = lazy(async () => ({ default: (await import('./UnsentDialog.tsx')).UnsentDialog }))

type Auth = {
  /** Null if nobody is signed in. */
  user: SessionUser | null
  /** True while logging out; screens then cancel their requests, which would be refused. */
  leaving: boolean
  login: (credentials: CallInput<typeof accountApi.login>['body']) => Promise<void>
  register: (registration: Omit<CallInput<typeof accountApi.register>['body'], 'timeZone'>) => Promise<void>
  /**
   * Ends the session here and, if the server can be reached, there too; then goes to the home page. Asks first if a form was
   * changed, or if this device keeps drafts of the user.
   */
  logout: () => void
  /** Runs `leave` at once, or after the user has said what becomes of their drafts on this device. */
  askAboutDrafts: (userId: string, leave: () => void) => void
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
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const auth = useMemo<Auth>(() => {
    const leave = async () => {
      // A form that has already asked must be gone before the navigation, which it would stop.
      flushSync(() => setLeaver(user))
      await tellServer(user?.id)
      // The home page is a separate document; until it loads, the guard must not redirect to the sign-in page.
      await navigate(paths.home)
      session.leave()
    }
    const askAboutDrafts = async (userId: string, andLeave: () => void) => {
      const unsent = await unsentHere(userId)
      if (unsent) setLeaving({ userId, unsent, leave: andLeave })
      else andLeave()
    }
    return {
      user,
      leaving: user !== null && user === leaver,
      login,
      register,
      logout: () =>
        session.beforeLeaving(() => {
          if (user) void askAboutDrafts(user.id, () => void leave())
          else void leave()
        }),
      askAboutDrafts: (userId, andLeave) => void askAboutDrafts(userId, andLeave),
    }
  }, [user, leaver, navigate])
  return (
    <AuthContext value={auth}>
      {children}
      {leaving && leaving.userId === user?.id && (
        <Suspense>
          <UnsentDialog of={leaving} onClose={() => setLeaving(null)} />
        </Suspense>
      )}
    </AuthContext>
  )
}
