import { Fragment, type ReactNode, useEffect } from 'react'
import { type Location, Navigate, Outlet, useLocation } from 'react-router'
import type { Role } from '../../kit/roles.ts'
import { useAuth } from '../../accounts/web/auth.tsx'
import { paths } from '../../kit/paths.ts'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { requestedIn } from './requested.ts'

/** The requested page; the sign-in page returns to it. */
type Origin = { from?: Pick<Location, 'pathname' | 'search' | 'hash'> } | null

/**
 * Redirects to /login unless somebody is signed in, and remembers the requested page (spec §2). Another tab may sign in as somebody
 * else: what one person has typed, opened or been asked to confirm is never the next one's.
 */
export const RequireSignIn = ({ children }: { children: ReactNode }) => {
  const { user, leaving } = useAuth()
  const location = useLocation()
  if (user) return leaving ? <PageSpinner /> : <Fragment key={user.id}>{children}</Fragment>
  // Logged out, and the home page is loading: this screen is about to be replaced.
  if (!window.location.pathname.startsWith(paths.dashboard)) return null
  return <Navigate to={paths.login} state={{ from: location } satisfies Origin} replace />
}

/** Tells redirected users why; the sentence about testers is the specification's own (spec §2). */
const onlyFor: Record<Role, string> = {
  DEVELOPER: 'This page is only available for developers.',
  TESTER: 'This page is only available for testers.',
  ADMIN: 'This page is only available for admins.',
}

type Door = {
  /** The equivalent page of other roles. */
  elsewhere?: Partial<Record<Role, string>>
  /** The page's own sentence. */
  says?: string
}

/**
 * For routes of one role, or of the first role and others that may help it; everybody else is redirected to the dashboard and
 * told why (spec §2), or to their role's equivalent.
 */
export const requireRole = (role: Role | readonly [Role, ...Role[]], door: Door = {}) => {
  const allowed = [role].flat()
  const { elsewhere = {}, says = onlyFor[allowed[0]!] } = door
  return () => {
    const { user } = useAuth()
    if (user && allowed.includes(user.role)) return <Outlet />
    const same = user && elsewhere[user.role]
    return same ? <Navigate to={same} replace /> : <SentHome says={user && says} />
  }
}

/** `says` is null while the user signs out. */
const SentHome = ({ says }: { says: string | null }) => {
  useEffect(() => {
    if (says !== null) notify.info(says)
  }, [says])
  return <Navigate to={paths.dashboard} replace />
}

/** For /login and /register: signed-in users are redirected to the page they requested, or else to the dashboard. */
export const GuestOnly = () => {
  const { user } = useAuth()
  const { state, pathname, search } = useLocation()
  const origin: Origin = state
  if (user) return <Navigate to={origin?.from ?? requestedIn(search) ?? paths.dashboard} replace />
  const from = requestedIn(search)
  return from ? <Navigate to={pathname} state={{ from } satisfies Origin} replace /> : <Outlet />
}
