import { act, cleanup, fireEvent, renderHook } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '../../../kit/roles.ts'
import { type ScreenKey, singleKeys, useScreenKeys } from '../../../kit/web/screenKeys.ts'
import { session } from '../../../kit/web/session.ts'
import { useShortcuts } from './useShortcuts.ts'

const signIn = (role: Role) =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'u1', email: 'u1@example.com', name: 'Uma', role },
  })

/** Called with the panel to show. */
const show = vi.fn()
/** The keys of the open screen. */
const pressed = vi.fn()
const own: ScreenKey[] = ['v', 't', '?'].map(key => ({ key, label: key, press: () => pressed(key) }))
const noKeys: ScreenKey[] = []

const opened = (role: Role, keys = noKeys) => {
  signIn(role)
  const { result, ...screen } = renderHook(
    ({ showing }) => {
      useScreenKeys(keys)
      useShortcuts(showing)
      return useLocation().pathname
    },
    { wrapper: MemoryRouter, initialProps: { showing: show } },
  )
  return { ...screen, at: () => result.current }
}

/** Whether the page prevented the browser's default for the key. */
const press = (key: string, how: KeyboardEventInit = {}, target: Element = document.body) =>
  !fireEvent.keyDown(target, { key, ...how })
const typed = (...keys: string[]) => keys.map(key => press(key))

const put = (html: string) => {
  document.body.insertAdjacentHTML('beforeend', html)
  return document.body.lastElementChild!
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.useRealTimers()
  show.mockClear()
  pressed.mockClear()
  singleKeys.set(true)
  session.clear()
})

test.each<[Role, string, string]>([
  ['TESTER', 't', '/dashboard/my-tests'],
  ['TESTER', 'T', '/dashboard/my-tests'],
  ['TESTER', 'a', '/'],
  ['DEVELOPER', 'p', '/dashboard/payments'],
  ['DEVELOPER', 't', '/'],
  ['ADMIN', 'l', '/dashboard/audit-log'],
])('%s: g and %s lead to %s', (role, letter, to) => {
  const { at } = opened(role)
  const kept = typed('g', letter)
  expect([at(), kept]).toEqual([to, [false, to !== '/']])
})

test.each([
  [1_499, '/dashboard/my-tests'],
  [1_500, '/'],
])('g waits for a second and a half: after %i ms its letter leads to %s', (ms, to) => {
  const { at } = opened('TESTER')
  vi.advanceTimersByTime(10_000)
  press('g')
  vi.advanceTimersByTime(ms)
  press('t')
  expect(at()).toBe(to)
})

test('a letter without g leads nowhere', () => {
  const { at } = opened('TESTER')
  expect([typed('t', 'b'), at()]).toEqual([[false, false], '/'])
})

test('a wrong letter ends the wait, and Shift does not', () => {
  const { at } = opened('TESTER')
  typed('g', 'x', 't')
  expect(at()).toBe('/')
  typed('g', 'Shift', 't')
  expect(at()).toBe('/dashboard/my-tests')
})

test('g may be pressed again, which restarts the wait', () => {
  const { at } = opened('TESTER')
  press('g')
  vi.advanceTimersByTime(1_000)
  press('g')
  vi.advanceTimersByTime(1_000)
  press('t')
  expect(at()).toBe('/dashboard/my-tests')
})

test('the open screen’s own keys take precedence over all others, and are kept from the browser', () => {
  opened('TESTER', own)
  expect(typed('v', 'V', '?', 'w')).toEqual([true, true, true, false])
  expect([pressed.mock.calls, show.mock.calls]).toEqual([[['v'], ['v'], ['?']], []])
})

test('the letter after g triggers no action on the screen, but the letter after that does', () => {
  const { at } = opened('TESTER', own)
  typed('g', 'v')
  expect(pressed).not.toHaveBeenCalled()
  typed('g', 't')
  expect([pressed.mock.calls, at()]).toEqual([[], '/dashboard/my-tests'])
  press('v')
  expect(pressed.mock.calls).toEqual([['v']])
})

test('? shows the list of shortcuts', () => {
  opened('TESTER')
  expect([press('?', { shiftKey: true }), show.mock.calls]).toEqual([true, [['sheet']]])
})

test('/ focuses the search of the screen and selects its text', () => {
  opened('ADMIN')
  put('<main><input value="no" /><form role="search"><input value="ann" /></form></main>')
  expect([press('/'), show.mock.calls]).toEqual([true, []])
  const { value, selectionStart, selectionEnd } = document.activeElement as HTMLInputElement
  expect([value, selectionStart, selectionEnd]).toEqual(['ann', 0, 3])
})

test('/ opens the palette on a screen without a search', () => {
  opened('ADMIN')
  put('<form role="search"><input /></form>')
  expect([press('/'), show.mock.calls]).toEqual([true, [['palette']]])
})

test.each<[Role, string, boolean]>([
  ['DEVELOPER', '/dashboard/campaigns/create', true],
  ['TESTER', '/', false],
  ['ADMIN', '/', false],
])('n creates a campaign for a developer only: %s', (role, to, kept) => {
  const { at } = opened(role)
  expect([press('n'), at()]).toEqual([kept, to])
})

test('other keys do nothing for a developer', () => {
  const { at } = opened('DEVELOPER')
  expect([typed('m', 'Enter', '??'), at(), show.mock.calls]).toEqual([[false, false, false], '/', []])
})

test.each([
  ['k', { ctrlKey: true }],
  ['k', { metaKey: true }],
  ['K', { ctrlKey: true }],
])('%s with %o opens the palette instead of the browser’s search, even if single keys are off', (key, how) => {
  opened('TESTER')
  singleKeys.set(false)
  expect([press(key, how), show.mock.calls]).toEqual([true, [['palette']]])
})

test.each([
  ['k', {}],
  ['k', { altKey: true }],
  ['k', { ctrlKey: true, altKey: true }],
  ['k', { ctrlKey: true, shiftKey: true }],
  ['j', { ctrlKey: true }],
  ['Kana', { ctrlKey: true }],
])('%s with %o is left to the browser', (key, how) => {
  opened('TESTER')
  expect([press(key, how), show.mock.calls]).toEqual([false, []])
})

test('an open dialog gets Ctrl K, and the browser’s search does not open', () => {
  opened('TESTER')
  put('<div role="dialog"></div>')
  expect([press('k', { ctrlKey: true }), show.mock.calls]).toEqual([true, []])
})

test('an open menu closes before the palette opens', () => {
  opened('TESTER')
  const menu = put('<div role="menu"></div>')
  const onEscape = vi.fn((event: KeyboardEvent) => {
    if (event.key === 'Escape') menu.remove()
  })
  document.addEventListener('keydown', onEscape)
  press('k', { ctrlKey: true })
  document.removeEventListener('keydown', onEscape)
  expect([menu.isConnected, show.mock.calls]).toEqual([false, []])
  vi.runAllTimers()
  expect(show.mock.calls).toEqual([['palette']])
})

test.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])(
  'a letter with %o is no shortcut',
  how => {
    opened('TESTER', own)
    expect([press('v', how), pressed.mock.calls]).toEqual([false, []])
  },
)

test('single keys can be switched off and on again', () => {
  opened('TESTER', own)
  singleKeys.set(false)
  expect([press('v'), pressed.mock.calls]).toEqual([false, []])
  singleKeys.set(true)
  press('v')
  expect(pressed.mock.calls).toEqual([['v']])
})

test.each([
  ['while somebody types', '<input />'],
  ['below a dialog', '<div role="dialog"></div>'],
])('single keys do nothing %s', (_, html) => {
  opened('TESTER', own)
  const target = put(html)
  expect([press('v', {}, target), pressed.mock.calls]).toEqual([false, []])
})

test('the keys follow a change of the role, and of the callback that shows the panels', () => {
  const { at, rerender } = opened('DEVELOPER')
  act(() => signIn('TESTER'))
  typed('g', 't')
  expect(at()).toBe('/dashboard/my-tests')
  const other = vi.fn()
  rerender({ showing: other })
  press('?')
  expect([show.mock.calls, other.mock.calls]).toEqual([[], [['sheet']]])
})

test('after the layout has unmounted, it no longer listens', () => {
  const { unmount } = opened('TESTER')
  unmount()
  expect([press('?'), show.mock.calls]).toEqual([false, []])
})
