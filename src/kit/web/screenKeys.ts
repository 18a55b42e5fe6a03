/**
 * Single-key shortcuts: whether they are on in this browser (WCAG 2.1.4), and those of the open screen. The layout acts on them
 * (src/app/web/layout/useShortcuts.ts), but never while somebody types or a dialog or menu is open.
 */
import { useLayoutEffect } from 'react'

export type ScreenKey = {
  /** A lower-case letter that no global shortcut has. */
  key: string
  /** Shown in the list of shortcuts. */
  label: string
  press: () => void
}

let current: readonly ScreenKey[] = []

export const screenKeys = (): readonly ScreenKey[] => current

/** Gives the screen its own keys while it is shown, in a layout effect so that a key acts on what its reader sees. */
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
