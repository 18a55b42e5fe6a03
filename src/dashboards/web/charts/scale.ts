/** Where the lines of an axis are drawn. Pure. */

/**
 * Round values from at or below the least to at or above the greatest, zero among them, at most `most` steps apart.
 * `leastStep` keeps an axis of dollars from naming the same dollar twice.
 */
export const ticksOf = (values: readonly number[], leastStep: number, most = 4): number[] => {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const step = Math.max(roundedUp((top - bottom) / most), leastStep)
  const first = Math.floor(bottom / step)
  const last = Math.max(Math.ceil(top / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** The next of 1, 2, 5, 10, 20, 50 … */
const roundedUp = (step: number) => {
  if (step <= 0) return 0
  const magnitude = 10 ** Math.floor(Math.log10(step))
  return ([1, 2, 5].find(factor => factor * magnitude >= step) ?? 10) * magnitude
}

/** Every how many labels one is written, so that each has `needed` pixels. */
export const labelEvery = (count: number, width: number, needed: number) =>
  width <= 0 ? count : Math.max(1, Math.ceil((count * needed) / width))
