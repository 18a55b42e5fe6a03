/** Works off what is due one by one, where each is more than a transaction; batches.ts does what can be done together. */
const dueAtOnce = 100

/** What is due beyond the last item of the page before, in an order that is the same for every page. */
export type DuePage<T> = { limit: number; after: T | undefined }

/**
 * Runs a scheduled job over everything that is due, in pages, each item once. Items that fail hold up no others, however many
 * they are; at the end the job fails with all of their errors.
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

/** Runs several of these one after the other: what fails in one holds up none of the others, and the job fails in the end. */
export const allDue = async (parts: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const errors: unknown[] = []
  for (const part of parts) await part().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
}
