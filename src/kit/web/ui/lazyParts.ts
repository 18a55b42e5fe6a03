import { use } from 'react'
import { withoutReload } from '../newVersion.ts'

/**
 * A module that is loaded when first shown. Once loaded it renders synchronously, unlike `lazy`, so that the focus moves within
 * the tap, as phones require.
 */
export const lazyParts = <T extends object>(load: () => Promise<T>) => {
  let loaded: T | null = null
  let loading: Promise<T> | null = null

  const parts = (): Promise<T> =>
    (loading ??= load().then(
      module => (loaded = module),
      (error: unknown) => {
        // The next call tries again.
        loading = null
        throw error
      },
    ))

  return {
    /** For components: suspends until the module is loaded. */
    use: (): T => loaded ?? use(parts()),
    preload: () => void parts().catch(withoutReload),
    load: parts,
    now: () => loaded,
  }
}
