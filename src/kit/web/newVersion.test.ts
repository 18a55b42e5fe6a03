import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'

const storage = stubLocalStorage()
const device = { onLine: true }
const reload = vi.fn<() => void>()

/** A page that was opened again in the same tab. */
const opened = async () => {
  vi.resetModules()
  let onError: (event: { payload: Error }) => void = () => {}
  vi.stubGlobal('addEventListener', (type: string, listener: typeof onError) => {
    if (type === 'vite:preloadError') onError = listener
  })
  const { isReloading, reloadOnMissingPart } = await import('./newVersion.ts')
  reloadOnMissingPart()
  return { isReloading, misses: (part: string) => onError({ payload: new Error(part) }) }
}

beforeEach(() => {
  vi.useFakeTimers()
  for (const key of Object.keys(storage)) storage.removeItem(key)
  vi.stubGlobal('sessionStorage', storage)
  reload.mockClear()
  vi.stubGlobal('location', { reload })
  device.onLine = true
  vi.stubGlobal('navigator', device)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a page that misses a chunk reloads once the address is that of the requested screen', async () => {
  const page = await opened()
  expect(page.isReloading()).toBe(false)
  page.misses('a.js')
  expect([page.isReloading(), reload.mock.calls.length]).toEqual([true, 0])
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledOnce()
})

test('it does not reload again for the same chunk, but does for another one', async () => {
  ;(await opened()).misses('a.js')
  vi.runAllTimers()
  const next = await opened()
  next.misses('a.js')
  vi.runAllTimers()
  expect([next.isReloading(), reload.mock.calls.length]).toEqual([false, 1])
  next.misses('b.js')
  vi.runAllTimers()
  expect([next.isReloading(), reload.mock.calls.length]).toEqual([true, 2])
})

test('without a network it does not reload, but still may later', async () => {
  device.onLine = false
  const page = await opened()
  page.misses('a.js')
  vi.runAllTimers()
  expect([page.isReloading(), reload.mock.calls.length]).toEqual([false, 0])
  device.onLine = true
  page.misses('a.js')
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledOnce()
})
