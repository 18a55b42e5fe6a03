import { useSyncExternalStore } from 'react'

/**
 * Whether the window matches a media query such as `(width < 40rem)`; for screens that need different markup, not only different
 * CSS.
 */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    changed => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
    () => false,
  )
