import { Outlet, ScrollRestoration } from 'react-router'
import { AuthProvider } from './auth.tsx'
import { ToastHost } from './ui/toast.tsx'

/** Around every page. */
export const Root = () => (
  <AuthProvider>
    <Outlet />
    <ToastHost />
    <ScrollRestoration />
  </AuthProvider>
)
