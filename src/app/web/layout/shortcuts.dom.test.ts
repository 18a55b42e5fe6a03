import { afterEach, expect, test, vi } from 'vitest'
import { closeMenus, isBusy, isDialogOpen, isMac } from './shortcuts.ts'

const put = (html: string) => {
  document.body.insertAdjacentHTML('beforeend', html)
  return document.body.lastElementChild!
}
const withKeys = () => {
  const keys: string[] = []
  const gone = new AbortController()
  // Menus may also listen for Escape above the document.
  addEventListener('keydown', ({ key }) => keys.push(key), gone)
  return { keys, stop: () => gone.abort() }
}

/** jsdom does not support open popovers, so here they have `data-open`. */
const stubPopovers = () => {
  const known = (selectors: string) => selectors.replaceAll(':popover-open', '[data-open]')
  const [one, all] = [document.querySelector.bind(document), document.querySelectorAll.bind(document)]
  vi.spyOn(document, 'querySelector').mockImplementation(selectors => one(known(selectors)))
  vi.spyOn(document, 'querySelectorAll').mockImplementation(selectors => all(known(selectors)))
}
const popover = (attributes = 'data-open') => {
  const panel = put(`<div popover ${attributes}></div>`) as HTMLElement
  panel.hidePopover = () => panel.removeAttribute('data-open')
  return panel
}

afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', true],
  ['Mozilla/5.0 (X11; Linux x86_64)', false],
])('the keys are named as on the user’s keyboard: %s', (userAgent, mac) => {
  vi.stubGlobal('navigator', { userAgent })
  expect(isMac()).toBe(mac)
})

test.each([
  ['<input />', true],
  ['<textarea></textarea>', true],
  ['<select></select>', true],
  ['<p contenteditable="true"></p>', true],
  ['<p contenteditable="false"></p>', false],
  ['<button></button>', false],
])('letters typed into a field are no shortcuts: %s', (html, busy) => {
  expect(isBusy(put(html))).toBe(busy)
})

test('letters typed into a part of a field are no shortcuts, and the document is no field', () => {
  expect(isBusy(put('<p contenteditable="true"><b></b></p>').firstElementChild)).toBe(true)
  expect([document, window, null].map(isBusy)).toEqual([false, false, false])
})

test.each([
  ['<div role="dialog"></div>', true, true],
  ['<div role="menu"></div>', false, true],
  ['<div role="dialog" popover></div>', false, false],
  ['<div role="dialog" popover data-open></div>', false, true],
  ['<div role="list"></div>', false, false],
])('letters belong to open dialogs and menus: %s', (html, dialog, busy) => {
  stubPopovers()
  put(html)
  expect([isDialogOpen(), isBusy(document.body)]).toEqual([dialog, busy])
})

test('without an open menu it continues at once, and nothing receives Escape', () => {
  const { keys, stop } = withKeys()
  put('<div role="dialog"></div>')
  const next = vi.fn()
  closeMenus(next)
  stop()
  expect([next.mock.calls.length, keys]).toEqual([1, []])
})

test('open menus are closed with Escape, and it continues once they have returned the focus', () => {
  vi.useFakeTimers()
  const { keys, stop } = withKeys()
  put('<div role="menu"></div>')
  const order: string[] = []
  closeMenus(() => order.push('next'))
  // Like a menu that closes.
  setTimeout(() => order.push('focus'))
  vi.runAllTimers()
  stop()
  expect([keys, order]).toEqual([['Escape'], ['focus', 'next']])
})

test('open popovers are hidden, and closed ones are left alone', () => {
  vi.useFakeTimers()
  stubPopovers()
  const [open, closed] = [popover(), popover('')]
  const hidden = vi.spyOn(closed, 'hidePopover')
  const next = vi.fn()
  closeMenus(next)
  expect([open.matches('[data-open]'), hidden.mock.calls, next.mock.calls]).toEqual([false, [], []])
  vi.runAllTimers()
  expect(next).toHaveBeenCalledTimes(1)
})
