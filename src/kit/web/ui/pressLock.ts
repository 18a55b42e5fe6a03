import { useEffect, useRef } from 'react'

/** A person's double click; work that was started shows within it. */
const settleMs = 300

/**
 * Holds a button from the press until its work is over. `loading` alone comes too late: it is drawn a moment after the
 * press, and the second click of a double click is faster.
 */
export const usePressLock = (loading: boolean) => {
  const held = useRef(false)
  const working = useRef(loading)
  useEffect(() => {
    working.current = loading
    if (!loading) held.current = false
  }, [loading])
  return {
    /** False when the press before is still at work: then this one does nothing. */
    take: () => {
      if (held.current || working.current) return false
      held.current = true
      return true
    },
    /** After starting what may, or may not, turn into work. */
    letGo: () =>
      setTimeout(() => {
        if (!working.current) held.current = false
      }, settleMs),
    /** Nothing was started. */
    release: () => {
      held.current = false
    },
  }
}
