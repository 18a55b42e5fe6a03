/** Where the focus goes when a window over the screen closes: never to nowhere. */
import { lastPressed } from '../press.ts'

/** What a window was opened from. An item of a menu goes with its menu: the button of that stands for it. */
export const openerOf = (focused: Element | null): HTMLElement | null => {
  const at = focused instanceof HTMLElement && focused !== document.body ? focused : lastPressed()
  const menuButton = at?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menuButton ? document.getElementById(menuButton) : at
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body

const toHeading = () => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })

/** What was done in the window takes its opener away once the screen has been loaded anew: longer is not waited. */
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

/** To the opener; where that is gone or disabled, to the screen's heading. A focus that has moved on stays where it is. */
export const returnFocus = (opener: HTMLElement | null): void => {
  if (!isNowhere()) return
  opener?.focus()
  if (isNowhere()) toHeading()
  else if (opener) watch(opener)
}

/**
 * For what is about to go with the focus in it, such as a form whose work is done: the nearest part of the screen that
 * stays takes it, so that the next Tab goes on from there. Windows look after themselves.
 */
export const passFocusOn = (going: HTMLElement | null): void => {
  if (!going?.contains(document.activeElement) || going.closest('[role=dialog]')) return
  const around = [going.closest('section'), going.closest('li'), going.closest('main')]
  setTimeout(() => {
    if (!isNowhere()) return
    const stays = around.find(part => part?.isConnected)
    if (!(stays instanceof HTMLElement)) return
    stays.tabIndex = -1
    stays.focus({ preventScroll: true })
  })
}

/** To the top of a list that shows other rows now, for eyes and keyboard alike. */
export const toTopOf = (part: HTMLElement | null): void => {
  if (!part) return
  const rows = part.querySelector<HTMLElement>('table, ul, ol') ?? part
  rows.tabIndex = -1
  rows.focus({ preventScroll: true })
  if (part.getBoundingClientRect().top < 0) part.scrollIntoView()
}

/** `passFocusOn` as a `ref`, for a button that its own work takes away. */
export const passFocusOnLeave = (button: HTMLElement | null) => () => passFocusOn(button)
