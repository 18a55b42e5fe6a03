import { afterEach, expect, test, vi } from 'vitest'
import { closeMenus, isBusy, isDialogOpen, isMac } from './shortcuts.ts'

const put = (html: string) => {
  document.body.insertAdjacentHTML('beforeend', html)
  return document.body.lastElementChild!
}
const withKeys = () => {
  const keys: string[] = []
  const gone = new AbortController()
  // Where menus listen for Escape, above the document too.
  addEventListener('keydown', ({ key }) => keys.push(key), gone)
  return { keys, stop: () => gone.abort() }
}

/** jsdom knows no open popovers: here they carry `data-open`. */
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
])('the keys are named as on the keyboard at hand: %s', (userAgent, mac) => {
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
])('letters belong to a field in which one types: %s', (html, busy) => {
  expect(isBusy(put(html))).toBe(busy)
})

test('letters belong to a field also on its parts, and never to the document', () => {
  expect(isBusy(put('<p contenteditable="true"><b></b></p>').firstElementChild)).toBe(true)
  expect([document, window, null].map(isBusy)).toEqual([false, false, false])
})

test.each([
  ['<div role="dialog"></div>', true, true],
  ['<div role="menu"></div>', false, true],
  ['<div role="dialog" popover></div>', false, false],
  ['<div role="dialog" popover data-open></div>', false, true],
  ['<div role="list"></div>', false, false],
])('letters belong to what is open: %s', (html, dialog, busy) => {
  stubPopovers()
  put(html)
  expect([isDialogOpen(), isBusy(document.body)]).toEqual([dialog, busy])
})

test('where no menu is open it goes on at once, and nothing hears of Escape', () => {
  const { keys, stop } = withKeys()
  put('<div role="dialog"></div>')
  const next = vi.fn()
  closeMenus(next)
  stop()
  expect([next.mock.calls.length, keys]).toEqual([1, []])
})

test('open menus are closed by Escape, and it goes on once they have given the focus back', () => {
  vi.useFakeTimers()
  const { keys, stop } = withKeys()
  put('<div role="menu"></div>')
  const order: string[] = []
  closeMenus(() => order.push('next'))
  // As a menu does that closes.
  setTimeout(() => order.push('focus'))
  vi.runAllTimers()
  stop()
  expect([keys, order]).toEqual([['Escape'], ['focus', 'next']])
})

test('open popovers are hidden, and those that are closed left alone', () => {
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
