import { Suspense, lazy, useSyncExternalStore } from 'react'
import type { Notice } from './Toaster.tsx'

const listeners = new Set<() => void>()
let wanted = false
let waiting: Notice[] = []
let show: ((notice: Notice) => void) | null = null

const Toaster = lazy(async () => ({ default: (await import('./Toaster.tsx')).Toaster }))

const send = (notice: Notice) => {
  if (show) return show(notice)
  waiting.push(notice)
  wanted = true
  for (const listener of listeners) listener()
}

/** One short message after an action or a redirect. Forms and dialogs show their own errors. */
export const notify = {
  success: (message: string) => send({ kind: 'success', message }),
  error: (message: string) => send({ kind: 'error', message }),
  info: (message: string) => send({ kind: 'info', message }),
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const onReady = (ready: (notice: Notice) => void) => {
  show = ready
  for (const notice of waiting) ready(notice)
  waiting = []
}

/** Where toasts appear. The first one loads their library. */
export const ToastHost = () =>
  useSyncExternalStore(subscribe, () => wanted) && (
    <Suspense>
      <Toaster onReady={onReady} />
    </Suspense>
  )
