import { useEffect } from 'react'

/**
 * Stands in for a menu or a dialog whose code is still loading: Escape, or the key of the palette, gives it up, so that it
 * never opens late over something else.
 */
export const WhileLoading = ({ onGiveUp }: { onGiveUp: () => void }) => {
  useEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (key === 'Escape' || ((ctrlKey || metaKey) && key.toLowerCase() === 'k')) onGiveUp()
    }
    // Before the shortcuts, so that the palette opens in its place.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [onGiveUp])
  return null
}
