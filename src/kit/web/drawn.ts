import { startTransition, useEffect, useState } from 'react'
import { beginsAtTop } from './arrival.ts'

/**
 * How many of the rows to draw: `atATime` more with each step, so a long list never blocks the page while it is drawn. If
 * `isSliced` is false, the first rows are drawn all at once, and only later ones in steps. With an `atATime` of Infinity,
 * everything is drawn at once.
 */
export const useDrawn = (rows: number, atATime: number, isSliced = true): number => {
  const [drawn, setDrawn] = useState(isSliced ? atATime : Infinity)
  if (drawn === Infinity && rows > 0 && atATime < Infinity) setDrawn(rows)
  useEffect(() => {
    if (drawn < rows) startTransition(() => setDrawn(drawn + atATime))
  }, [drawn, rows, atATime])
  return Math.min(drawn, rows)
}

/** The same, in steps only on a screen that is read from its top. */
export const useDrawnFromTop = (rows: number, atATime: number): number => useDrawn(rows, atATime, beginsAtTop())
