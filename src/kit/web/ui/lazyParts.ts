import { use } from 'react'

/**
 * A module that is loaded when something of it is first shown. Once it is there it is shown at once, unlike with
 * `lazy`, which always waits a turn: the focus then moves within the tap, as phones want it.
 */
export const lazyParts = <T extends object>(load: () => Promise<T>) => {
  let loaded: T | null = null
  let loading: Promise<T> | null = null

  const parts = (): Promise<T> =>
    (loading ??= load().then(
      module => (loaded = module),
      (error: unknown) => {
        // The next one who asks tries again.
        loading = null
        throw error
      },
    ))

  /** For components: suspends until it is there. */
  return { use: (): T => loaded ?? use(parts()), preload: () => void parts().catch(() => {}) }
}
