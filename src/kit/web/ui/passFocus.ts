/**
 * Where the focus goes when the element that has it is removed. Also loaded where pages are rendered in advance, without a
 * document.
 */
export const isNowhere = () => document.activeElement === null || document.activeElement === document.body

/**
 * For an element about to be removed while it has the focus, such as a finished form: moves the focus to the nearest remaining
 * part of the screen, so Tab continues from there. Dialogs manage their own focus.
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

/** `passFocusOn` as a `ref`, for a button that its own action removes. */
export const passFocusOnLeave = (button: HTMLElement | null) => () => passFocusOn(button)
