import { useSyncExternalStore } from 'react'
import { type Instant, clock } from '../clock.ts'

const stepMs = 15_000

const subscribe = (listener: () => void) => {
  const timer = setInterval(listener, stepMs)
  return () => {
    clearInterval(timer)
  }
}

const thisStep = () => Math.floor(clock.nowMs() / stepMs)

/** The present, renewed every quarter of a minute: for words such as "in 2 hours" and for what falls due. */
export const useNow = (): Instant => {
  useSyncExternalStore(subscribe, thisStep)
  return clock.now()
}
