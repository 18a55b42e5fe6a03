/** Collects items and works through them together: soon, one batch at a time, and only while somebody looks. */
type Settings<T> = {
  /** The items added since the last batch, each once. */
  work: (items: readonly T[]) => Promise<unknown>
  isLookedAt: () => boolean
  /** Items added within this time belong to one batch. */
  soonMs: number
  /** The pause after one batch before the next begins with what was added meanwhile. */
  restMs: number
  /** A batch that takes longer does not block the next. */
  longestMs: number
}

export type Gathering<T> = { add: (item: T) => void; lookedAt: () => void }

export const gather = <T>({ work, isLookedAt, soonMs, restMs, longestMs }: Settings<T>): Gathering<T> => {
  const waiting = new Set<T>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false
  const run = () => {
    timer = undefined
    if (!isLookedAt()) return
    const items = [...waiting]
    waiting.clear()
    busy = true
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      clearTimeout(tooLong)
      busy = false
      plan(restMs)
    }
    const tooLong = setTimeout(end, longestMs)
    work(items).then(end, end)
  }
  const plan = (ms: number) => {
    if (!busy && waiting.size > 0 && isLookedAt()) timer ??= setTimeout(run, ms)
  }
  return {
    add: item => {
      waiting.add(item)
      plan(soonMs)
    },
    lookedAt: () => plan(0),
  }
}
