/** Where the focus goes when a dialog or menu closes, so that it is never lost. */
import { lastPressed } from '../press.ts'
import { isNowhere } from './passFocus.ts'

/** What a dialog was opened from. A menu item disappears with its menu, so the menu's button stands in for it. */
export const openerOf = (focused: Element | null): HTMLElement | null => {
  const at = focused instanceof HTMLElement && focused !== document.body ? focused : lastPressed()
  const menuButton = at?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menuButton ? document.getElementById(menuButton) : at
}

const toHeading = () => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })

/** How long the opener is watched, since the reload after an action may remove it. */
const watchedMs = 5000

const watch = (opener: HTMLElement) => {
  const watcher = new MutationObserver(() => {
    if (opener.isConnected) return
    watcher.disconnect()
    if (isNowhere()) toHeading()
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watcher.disconnect(), watchedMs)
}

/**
 * Returns the focus to the opener, or to the screen's heading if the opener is gone or disabled. A focus that has moved on stays,
 * and dialogs manage their own.
 */
export const returnFocus = (opener: HTMLElement | null): void => {
  if (!isNowhere()) return
  opener?.focus()
  if (isNowhere()) toHeading()
  else if (opener && !opener.closest('[role=dialog]')) watch(opener)
}

/** Scrolls to the top of a list and focuses it after its page has changed. */
export const toTopOf = (part: HTMLElement | null): void => {
  if (!part) return
  const rows = part.querySelector<HTMLElement>('table, ul, ol') ?? part
  rows.tabIndex = -1
  rows.focus({ preventScroll: true })
  if (part.getBoundingClientRect().top < 0) part.scrollIntoView()
}
