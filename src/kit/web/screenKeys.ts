/**
 * Single keys: whether they are on in this browser (WCAG 2.1.4), and those of the screen that is open. The layout acts on
 * them (src/app/web/layout/useShortcuts.ts): never while somebody types, and never below a dialog or a menu.
 */
import { useLayoutEffect } from 'react'

export type ScreenKey = {
  /** A lower-case letter that no global shortcut has. */
  key: string
  /** For the list of shortcuts. */
  label: string
  press: () => void
}

let current: readonly ScreenKey[] = []

export const screenKeys = (): readonly ScreenKey[] => current

/** Gives the screen keys of its own while it is shown: at once, so that a key acts on what its reader sees. */
export const useScreenKeys = (keys: readonly ScreenKey[]): void => {
  useLayoutEffect(() => {
    current = keys
    return () => {
      if (current === keys) current = []
    }
  }, [keys])
}

const storageKey = 'singleKeyShortcuts'

export const singleKeys = {
  on: (): boolean => {
    try {
      return localStorage.getItem(storageKey) !== 'off'
    } catch {
      return true
    }
  },
  set: (on: boolean): void => {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  },
}
