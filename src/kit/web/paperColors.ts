import { useEffect } from 'react'

/** Prints in the light theme, whatever the screen's theme. */
export const usePaperColors = () => {
  useEffect(() => {
    const { dataset: look } = document.documentElement
    let onScreen = look.theme
    const toPaper = () => {
      onScreen = look.theme
      look.theme = 'light'
    }
    const toScreen = () => {
      if (onScreen !== undefined) look.theme = onScreen
    }
    addEventListener('beforeprint', toPaper)
    addEventListener('afterprint', toScreen)
    return () => {
      removeEventListener('beforeprint', toPaper)
      removeEventListener('afterprint', toScreen)
    }
  }, [])
}
