/** Works off due items one by one, for work that takes more than a transaction; batches.ts does what can be done together. */
const dueAtOnce = 100

/** The items due after the last one of the page before, in an order that is the same for every page. */
export type DuePage<T> = { limit: number; after: T | undefined }

/**
 * Runs a scheduled job over everything that is due, in pages, each item once. Items that fail do not hold up the others; at the
 * end the job fails with all their errors.
 */
export const eachDue = async <T extends object>(
  load: (page: DuePage<T>) => Promise<T[]>,
  run: (due: T) => Promise<unknown>,
): Promise<void> => {
  let tried = 0
  const errors: unknown[] = []
  for (let more = true, after: T | undefined; more;) {
    const due = await load({ limit: dueAtOnce, after })
    more = due.length === dueAtOnce
    after = due.at(-1)
    tried += due.length
    for (const item of due) await run(item).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${tried} failed`)
}

/** Runs several of these one after the other: if one fails, the others still run, and the job fails at the end. */
export const allDue = async (parts: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const errors: unknown[] = []
  for (const part of parts) await part().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
}
