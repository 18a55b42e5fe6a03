import type { ReactNode } from 'react'
import { type Location, Navigate, Outlet, useLocation } from 'react-router'
import type { Role } from '../../kit/roles.ts'
import { useAuth } from '../../accounts/web/auth.tsx'
import { paths } from '../../kit/paths.ts'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'

/** Where a visitor wanted to go; the sign-in page returns there. */
type Origin = { from?: Pick<Location, 'pathname' | 'search' | 'hash'> } | null

/** Signed in, or to /login with the wish kept (spec §2). */
export const RequireSignIn = ({ children }: { children: ReactNode }) => {
  const { user, leaving } = useAuth()
  const location = useLocation()
  if (user) return leaving ? <PageSpinner /> : children
  // Logged out, and the address is the front page's already: this screen is only waiting to be replaced.
  if (!window.location.pathname.startsWith(paths.dashboard)) return null
  return <Navigate to={paths.login} state={{ from: location } satisfies Origin} replace />
}

/** For routes of one role; everybody else goes to the dashboard (spec §2), or where that role has the like of it. */
export const requireRole =
  (role: Role, elsewhere: Partial<Record<Role, string>> = {}) =>
  () => {
    const { user } = useAuth()
    if (user?.role === role) return <Outlet />
    return <Navigate to={(user && elsewhere[user.role]) ?? paths.dashboard} replace />
  }

/** For /login and /register: who is signed in, or just did so, goes where they wanted to go, else to the dashboard. */
export const GuestOnly = () => {
  const { user } = useAuth()
  const origin: Origin = useLocation().state
  return user ? <Navigate to={origin?.from ?? paths.dashboard} replace /> : <Outlet />
}
