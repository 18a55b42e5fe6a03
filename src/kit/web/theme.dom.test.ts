import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuseLocalStorage } from '../../testing/localStorage.ts'
import { stubMedia } from '../../testing/media.ts'

const dark = '(prefers-color-scheme: dark)'

/** The module follows the document from its import on, so each test imports its own. */
const begun = async (media: ReturnType<typeof stubMedia>) => {
  vi.resetModules()
  const { useTheme } = await import('./theme.ts')
  const { result } = renderHook(useTheme)
  return {
    media,
    theme: () => result.current.theme,
    set: (theme: 'light' | 'dark' | 'system') => act(() => result.current.setTheme(theme)),
  }
}

const painted = () => document.documentElement.dataset['theme']
const storedElsewhere = (key: string | null) =>
  act(() => {
    dispatchEvent(new StorageEvent('storage', { key }))
  })

beforeEach(() => {
  localStorage.clear()
  delete document.documentElement.dataset['theme']
})
afterEach(() => vi.unstubAllGlobals())

test.each(['light', 'dark'] as const)('%s is painted at once, and kept for the next visit', async chosen => {
  const { set, theme } = await begun(stubMedia(chosen === 'light' ? dark : ''))
  set(chosen)
  expect([theme(), painted(), localStorage.getItem('theme')]).toEqual([chosen, chosen, chosen])
})

test('the system decides if nothing valid is stored', async () => {
  expect((await begun(stubMedia())).theme()).toBe('system')
  localStorage.setItem('theme', 'purple')
  expect((await begun(stubMedia())).theme()).toBe('system')
})

test('the page follows the system only while that is chosen', async () => {
  const { media, set } = await begun(stubMedia())
  set('system')
  expect(painted()).toBe('light')
  act(() => media.set(dark, true))
  expect(painted()).toBe('dark')
  set('light')
  act(() => media.set(dark, true))
  expect(painted()).toBe('light')
})

test.each(['theme', null])('another tab that changes the theme changes this one (key %s)', async key => {
  const { theme } = await begun(stubMedia())
  localStorage.setItem('theme', 'dark')
  storedElsewhere(key)
  expect([theme(), painted()]).toEqual(['dark', 'dark'])
})

test('other things that another tab stores change no theme', async () => {
  await begun(stubMedia())
  localStorage.setItem('theme', 'dark')
  storedElsewhere('draft')
  expect(painted()).toBeUndefined()
})

test('if nothing can be stored, the theme still changes for as long as the page is open', async () => {
  const { set, theme } = await begun(stubMedia())
  refuseLocalStorage()
  set('dark')
  expect([theme(), painted()]).toEqual(['dark', 'dark'])
})
