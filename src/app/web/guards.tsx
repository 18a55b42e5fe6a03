import type { ReactNode } from 'react'
import { type Location, Navigate, Outlet, useLocation } from 'react-router'
import type { Role } from '../../kit/roles.ts'
import { useAuth } from '../../accounts/web/auth.tsx'
import { paths } from '../../kit/paths.ts'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'

/** The requested page; the sign-in page returns to it. */
type Origin = { from?: Pick<Location, 'pathname' | 'search' | 'hash'> } | null

/** Redirects to /login unless somebody is signed in, and remembers the requested page (spec §2). */
export const RequireSignIn = ({ children }: { children: ReactNode }) => {
  const { user, leaving } = useAuth()
  const location = useLocation()
  if (user) return leaving ? <PageSpinner /> : children
  // Logged out, and the home page is loading: this screen is about to be replaced.
  if (!window.location.pathname.startsWith(paths.dashboard)) return null
  return <Navigate to={paths.login} state={{ from: location } satisfies Origin} replace />
}

/** For routes of one role; others are redirected to the dashboard (spec §2), or to that role's equivalent. */
export const requireRole =
  (role: Role, elsewhere: Partial<Record<Role, string>> = {}) =>
  () => {
    const { user } = useAuth()
    if (user?.role === role) return <Outlet />
    return <Navigate to={(user && elsewhere[user.role]) ?? paths.dashboard} replace />
  }

/** For /login and /register: signed-in users are redirected to the page they requested, or else to the dashboard. */
export const GuestOnly = () => {
  const { user } = useAuth()
  const origin: Origin = useLocation().state
  return user ? <Navigate to={origin?.from ?? paths.dashboard} replace /> : <Outlet />
}
