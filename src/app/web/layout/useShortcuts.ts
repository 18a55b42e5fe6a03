import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useUser } from '../../../kit/web/user.ts'
import { paths } from '../../../kit/paths.ts'
import { screenKeys, singleKeys } from '../../../kit/web/screenKeys.ts'
import { closeMenus, destinations, isBusy, isDialogOpen } from './shortcuts.ts'

/** How long `g` waits for the next letter. */
const waitMs = 1500

type Shown = 'palette' | 'sheet'

const isPaletteKey = (event: KeyboardEvent) =>
  (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'

const focusSearch = () => {
  const field = document.querySelector<HTMLInputElement>('main [role="search"] input')
  field?.focus()
  field?.select()
  return field !== null
}

/** Global shortcuts (Ctrl or Cmd K, `g` and a letter, `/`, `n`, `?`) and those of the open screen. */
export const useShortcuts = (show: (what: Shown) => void) => {
  const { role } = useUser()
  const navigate = useNavigate()
  const goUntil = useRef(0)

  useEffect(() => {
    const go = (key: string) => destinations(role).find(({ goKey }) => goKey === key)?.to

    /** True when the key was handled. */
    const onLetter = (key: string): boolean => {
      const going = performance.now() < goUntil.current
      const to = going ? go(key) : undefined
      // A wrong second letter after `g` must not trigger an action on the screen.
      const own = going ? undefined : screenKeys().find(of => of.key === key)
      goUntil.current = key === 'g' ? performance.now() + waitMs : 0
      if (to) void navigate(to)
      else if (own) own.press()
      else if (key === '?') show('sheet')
      else if (key === 'n' && role === 'DEVELOPER') void navigate(paths.campaignCreate)
      else if (key === '/') {
        if (!focusSearch()) show('palette')
      } else return false
      return true
    }

    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        // An open dialog gets the key, and the browser's own search must not open.
        event.preventDefault()
        if (!isDialogOpen()) closeMenus(() => show('palette'))
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || event.key.length !== 1) return
      if (!singleKeys.on() || isBusy(event.target)) return
      if (onLetter(event.key.toLowerCase())) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [role, navigate, show])
}
