/** How many went, and the last of them in the order in which they go; null when there was none. */
export type Deleted<Place> = { count: number; last: Place | null }

/**
 * Deletes in steps, so that no statement holds up anybody, and each step begins where the one before it ended. What is deleted
 * stays in the index as long as any transaction from before is open: a step that began at the old end would pass through all of it.
 */
export const deleteInSteps = async <Place>(
  limit: number,
  step: (from: Place | undefined, limit: number) => Promise<Deleted<Place>>,
): Promise<void> => {
  for (let from: Place | undefined, full = true; full;) {
    const { count, last } = await step(from, limit)
    full = count === limit
    from = last ?? undefined
  }
}
