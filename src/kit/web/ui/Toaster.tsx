import { useEffect, useSyncExternalStore } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

export type Notice = { kind: 'success' | 'error' | 'info'; message: string }

/** As in spec §9: at most three, for about four seconds; an error stays until dismissed. */
const show = ({ kind, message }: Notice) => {
  if (kind === 'error') return toast.error(message, { duration: Infinity, closeButton: true })
  return kind === 'success' ? toast.success(message) : toast.info(message)
}

const phone = matchMedia('(max-width: 600px)')

const watchWidth = (listener: () => void) => {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** At the top on a phone, because the buttons of bottom sheets and of the navigation are at the bottom. */
export const Toaster = ({ onReady }: { onReady: (show: (notice: Notice) => void) => void }) => (
  <>
    <Sonner
      visibleToasts={3}
      expand
      duration={4000}
      position={useSyncExternalStore(watchWidth, () => phone.matches) ? 'top-center' : 'bottom-right'}
      mobileOffset={{ top: 'max(0.5rem, env(safe-area-inset-top))' }}
      toastOptions={{
        style: {
          // An open dialog disables pointer events outside it.
          pointerEvents: 'auto',
          background: 'var(--card)',
          color: 'var(--foreground)',
          borderColor: 'var(--border)',
          boxShadow: 'var(--shadow-raised)',
          fontFamily: 'inherit',
          fontSize: '0.875rem',
        },
      }}
    />
    <Ready onReady={() => onReady(show)} />
  </>
)

/** Rendered after the toaster, so its effect runs once the toaster listens; earlier toasts would be lost. */
const Ready = ({ onReady }: { onReady: () => void }) => {
  useEffect(onReady, [onReady])
  return null
}
