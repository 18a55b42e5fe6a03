import { lastPressed } from '../press.ts'

/** What a window was opened from. An item of a menu goes with its menu: the button of that stands for it. */
export const openerOf = (focused: Element | null): HTMLElement | null => {
  const at = focused instanceof HTMLElement && focused !== document.body ? focused : lastPressed()
  const menuButton = at?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menuButton ? document.getElementById(menuButton) : at
}

const takesFocus = (element: HTMLElement | null): element is HTMLElement => {
  if (!element?.isConnected) return false
  element.focus()
  return document.activeElement === element
}

/** To the opener; where that is gone or disabled, to the screen's heading. A focus that has moved on stays where it is. */
export const returnFocus = (opener: HTMLElement | null): void => {
  const now = document.activeElement
  if (now && now !== document.body) return
  if (takesFocus(opener)) return
  const places = [document.querySelector<HTMLElement>('main h1'), document.querySelector<HTMLElement>('main')]
  places.some(takesFocus)
}

/**
 * For what is about to go with the focus in it, such as a form whose work is done: the nearest part of the screen that
 * stays takes it, so that the next Tab goes on from there. Windows look after themselves.
 */
export const passFocusOn = (going: HTMLElement | null): void => {
  if (!going?.contains(document.activeElement) || going.closest('[role=dialog]')) return
  const around = [going.closest('section'), going.closest('li'), going.closest('main')]
  setTimeout(() => {
    const now = document.activeElement
    if (now && now !== document.body) return
    const stays = around.find(part => part?.isConnected)
    if (!(stays instanceof HTMLElement)) return
    stays.tabIndex = -1
    stays.focus({ preventScroll: true })
  })
}
