import { startTransition, useEffect, useState } from 'react'
import { beginsAtTop } from './arrival.ts'

/**
 * How many of the rows to draw: more and more, `atATime`, so that a long list never blocks the page while it is drawn. Those
 * that are there at once, where `isSliced` is false, are drawn in one go, and only what follows them in steps. `atATime` may be
 * Infinity: all at once.
 */
export const useDrawn = (rows: number, atATime: number, isSliced = true): number => {
  const [drawn, setDrawn] = useState(isSliced ? atATime : Infinity)
  if (drawn === Infinity && rows > 0 && atATime < Infinity) setDrawn(rows)
  useEffect(() => {
    if (drawn < rows) startTransition(() => setDrawn(drawn + atATime))
  }, [drawn, rows, atATime])
  return Math.min(drawn, rows)
}

/** The same, where a screen is read from its top. */
export const useDrawnFromTop = (rows: number, atATime: number): number => useDrawn(rows, atATime, beginsAtTop())
