/** What several ask for at the same time, done once for all of them. */

/**
 * A run serves everybody who asked before it began, and nobody else: what was under way when somebody asked may have looked at things
 * as they were before. So at most one is under way, and one waits.
 */
export const sharedRuns = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const begin = async () => {
    await underWay
    next = undefined
    const begun = run()
    underWay = begun.catch(() => undefined)
    return begun
  }
  return () => (next ??= begin())
}
