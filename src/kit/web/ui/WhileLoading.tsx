import { useEffect } from 'react'

/**
 * Replaces a menu or dialog whose code is still loading. Escape or the palette's shortcut cancels it, so it never opens late over
 * something else.
 */
export const WhileLoading = ({ onGiveUp }: { onGiveUp: () => void }) => {
  useEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (key === 'Escape' || ((ctrlKey || metaKey) && key.toLowerCase() === 'k')) onGiveUp()
    }
    // Runs before the shortcuts, so that the palette opens instead.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [onGiveUp])
  return null
}
