import { useEffect, useRef } from 'react'

/** The time of a double click, within which started work sets `loading`. */
const settleMs = 300

/**
 * Locks a button from the press until its work is done. `loading` alone comes too late: it renders after the press, and the
 * second click of a double click is faster. A new `failure` unlocks the button.
 */
export const usePressLock = (loading: boolean, failure?: unknown) => {
  const held = useRef(false)
  const working = useRef(loading)
  useEffect(() => {
    working.current = loading
    if (!loading) held.current = false
  }, [loading])
  // Work may fail before `loading` is rendered, as it does without a connection.
  useEffect(() => {
    held.current = false
  }, [failure])
  return {
    /** False while the previous press is still running: this press does nothing. */
    take: () => {
      if (held.current || working.current) return false
      held.current = true
      return true
    },
    /** Call it after starting something that may or may not become work. */
    letGo: () =>
      setTimeout(() => {
        if (!working.current) held.current = false
      }, settleMs),
    /** Call it if nothing was started. */
    release: () => {
      held.current = false
    },
  }
}
