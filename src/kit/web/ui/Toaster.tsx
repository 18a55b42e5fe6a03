import { useEffect, useSyncExternalStore } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

type Notice = { kind: 'success' | 'error'; message: string }

/** Spec §9: three at most, about four seconds; an error stays until it is dismissed. */
const show = ({ kind, message }: Notice) =>
  kind === 'success' ? toast.success(message) : toast.error(message, { duration: Infinity, closeButton: true })

const phone = matchMedia('(max-width: 600px)')

const watchWidth = (listener: () => void) => {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** On a phone at the top: sheets and the navigation have their buttons below. */
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
          // A dialog takes the pointer from all around it.
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

/** Stands after the toaster, so that its effect runs when that one listens: what is sent before is lost. */
const Ready = ({ onReady }: { onReady: () => void }) => {
  useEffect(onReady, [onReady])
  return null
}
