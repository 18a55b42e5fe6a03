import { Outlet, ScrollRestoration } from 'react-router'
import { AuthProvider } from '../../accounts/web/auth.tsx'
import { ToastHost } from '../../kit/web/ui/toast.tsx'

/** Wraps every page. */
export const Root = () => (
  <AuthProvider>
    <Outlet />
    <ToastHost />
    <ScrollRestoration />
  </AuthProvider>
)
