import { useSyncExternalStore } from 'react'
import { type Instant, clock } from '../clock.ts'

const stepMs = 15_000

const subscribe = (listener: () => void) => {
  const timer = setInterval(listener, stepMs)
  // Browsers stop the timers of a page that sleeps.
  document.addEventListener('visibilitychange', listener)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', listener)
  }
}

const thisStep = () => Math.floor(clock.nowMs() / stepMs)

/** The current time, updated every 15 seconds; for deadlines and texts such as "in 2 hours". */
export const useNow = (): Instant => {
  useSyncExternalStore(subscribe, thisStep)
  return clock.now()
}
