/** Ticks of axes. Pure. */

/**
 * Round numbers that span all values and zero, in about `maxSteps` steps. `minStep` keeps an axis in dollars from repeating a
 * label.
 */
export const ticksOf = (values: readonly number[], minStep: number, maxSteps = 4): number[] => {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const step = Math.max(roundUp((top - bottom) / maxSteps), minStep)
  const first = Math.floor(bottom / step)
  const last = Math.max(Math.ceil(top / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Rounds up to 1, 2, 5, 10, 20, 50 …; 0 stays 0. */
const roundUp = (step: number) => {
  const magnitude = 10 ** Math.floor(Math.log10(step))
  return ([1, 2, 5].find(factor => factor * magnitude >= step) ?? 10) * magnitude
}

/** Shows every nth label, so each has `needed` pixels. */
export const labelEvery = (count: number, width: number, needed: number) =>
  width <= 0 ? count : Math.max(1, Math.ceil((count * needed) / width))
