/** How many rows were deleted, and the last of them in the order of deletion; null if there were none. */
export type Deleted<Place> = { count: number; last: Place | null }

/**
 * Deletes in steps, so that no statement blocks anybody, and each step begins where the one before it ended. Deleted rows stay in
 * the index while any older transaction is open: a step that began at the old end would pass through all of them.
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
