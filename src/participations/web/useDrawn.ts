import { useEffect, useState } from 'react'

const rowsAtATime = 20

/** How many of the rows to draw: more and more, so that a long table never blocks the page while it is drawn. */
export const useDrawn = (rows: number): number => {
  const [drawn, setDrawn] = useState(rowsAtATime)
  useEffect(() => {
    if (drawn >= rows) return undefined
    const next = setTimeout(() => setDrawn(drawn + rowsAtATime))
    return () => clearTimeout(next)
  }, [drawn, rows])
  return Math.min(drawn, rows)
}
