/** Works off what is due one by one, where each is more than a transaction; batches.ts does what can be done together. */
const dueAtOnce = 100

/** A page of what is due, without the items that failed or stayed due. */
export type DuePage = { limit: number; except: readonly string[] }

/**
 * Runs a scheduled job over everything that is due, in pages. Items that fail hold up no others, however many they are;
 * at the end the job fails with all of their errors.
 */
export const eachDue = async <T extends { id: string }>(
  load: (page: DuePage) => Promise<T[]>,
  run: (due: T) => Promise<unknown>,
): Promise<void> => {
  const tried = new Set<string>()
  const left = new Set<string>()
  const errors: unknown[] = []
  for (let more = true; more;) {
    const due = await load({ limit: dueAtOnce, except: [...left] })
    more = due.length === dueAtOnce
    for (const item of due) {
      // Tried before and due again: it would come back for ever.
      if (tried.has(item.id)) {
        left.add(item.id)
        continue
      }
      tried.add(item.id)
      await run(item).catch((error: unknown) => {
        left.add(item.id)
        errors.push(error)
      })
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${tried.size} failed`)
}

/** Runs several of these one after the other: what fails in one holds up none of the others, and the job fails in the end. */
export const allDue = async (parts: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const errors: unknown[] = []
  for (const part of parts) await part().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
}
