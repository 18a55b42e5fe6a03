import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

type Notice = { kind: 'success' | 'error'; message: string }

/** Spec §9: three at most, about four seconds; an error stays until it is dismissed. */
const show = ({ kind, message }: Notice) =>
  kind === 'success' ? toast.success(message) : toast.error(message, { duration: Infinity, closeButton: true })

export const Toaster = ({ onReady }: { onReady: (show: (notice: Notice) => void) => void }) => (
  <>
    <Sonner
      visibleToasts={3}
      expand
      duration={4000}
      position="bottom-right"
      mobileOffset={{ bottom: 84 }}
      toastOptions={{
        style: {
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
