import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const owner = { name: 'Ann Archer', email: 'ann@example.com' }
const common = 'This is one of the 10,000 most common passwords.'

let usePasswordWeakness: typeof import('./usePasswordWeakness.ts').usePasswordWeakness
const typing = (password: string) =>
  renderHook((typed: string) => usePasswordWeakness(typed, owner), { initialProps: password })

const loaded = () => act(() => vi.dynamicImportSettled())

// The list is loaded once per page, so each test needs fresh modules.
beforeEach(async () => {
  vi.resetModules()
  ;({ usePasswordWeakness } = await import('./usePasswordWeakness.ts'))
})
afterEach(() => {
  cleanup()
  vi.doUnmock('../commonPasswords.ts')
  vi.restoreAllMocks()
})

test('a password is judged once the list has loaded, and later ones immediately', async () => {
  const { result, rerender } = typing('password')
  expect(result.current).toBeNull()
  await loaded()
  expect(result.current).toBe(common)
  rerender('ann.archer1')
  expect(result.current).toBe('This password is made up of your name or email address.')
  rerender('a calm walk by the sea')
  expect(result.current).toBeNull()
})

test('the list is loaded with the first letter, and not before', async () => {
  const { result, rerender } = typing('')
  await loaded()
  expect(typing('password').result.current).toBeNull()
  rerender('password')
  await loaded()
  expect(result.current).toBe(common)
})

test('if the list fails to load, the password is not called weak, and the next field loads the list again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  // Like a network failure while its file is loaded.
  vi.doMock('../commonPasswords.ts', () => {
    throw new Error('no line')
  })
  const first = typing('password')
  await loaded()
  expect(logged).toHaveBeenCalledWith('The common passwords could not be loaded', expect.anything())
  expect(first.result.current).toBeNull()
  vi.doUnmock('../commonPasswords.ts')
  vi.resetModules()
  const second = typing('password')
  await loaded()
  expect(second.result.current).toBe(common)
})
