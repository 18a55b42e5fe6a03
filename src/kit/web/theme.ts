/** Light, dark or the system's: stored in local storage, set as `data-theme` on the root. `/theme.js` applies it first. */
import { useSyncExternalStore } from 'react'

const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const stored = (): Theme => {
  try {
    return themes.find(theme => theme === localStorage.getItem('theme')) ?? 'system'
  } catch {
    return 'system'
  }
}

let chosen = stored()

const paint = () => {
  const dark = chosen === 'dark' || (chosen === 'system' && systemDark.matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

systemDark.addEventListener('change', paint)
addEventListener('storage', ({ key }) => {
  if (key !== 'theme' && key !== null) return
  chosen = stored()
  paint()
})

const setTheme = (theme: Theme) => {
  chosen = theme
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // A full or forbidden storage: it lasts as long as this page.
  }
  paint()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useTheme = () => ({ theme: useSyncExternalStore(subscribe, () => chosen), setTheme })
