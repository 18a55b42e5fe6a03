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
  const { isMissingPart, reloadOnMissingPart, reloadsFor, withoutReload } = await import('./newVersion.ts')
  reloadOnMissingPart()
  const misses = (part: string) => {
    const error = new Error(part)
    onError({ payload: error })
    return error
  }
  return { misses, isMissingPart, reloadsFor, withoutReload }
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
  page.misses('a.js')
  expect(reload).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledOnce()
})

test('a screen that misses a chunk shows no error, because the page reloads once', async () => {
  const page = await opened()
  const error = page.misses('a.js')
  expect([page.reloadsFor(error), page.reloadsFor(new Error('another one'))]).toEqual([true, true])
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledOnce()
})

test('it does not reload again for the same chunk, but does for another one', async () => {
  ;(await opened()).misses('a.js')
  vi.runAllTimers()
  const next = await opened()
  const again = next.misses('a.js')
  vi.runAllTimers()
  expect([next.isMissingPart(again), next.reloadsFor(again), reload.mock.calls.length]).toEqual([true, false, 1])
  next.misses('b.js')
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('without a network it does not reload, but still may later', async () => {
  device.onLine = false
  const page = await opened()
  expect(page.reloadsFor(page.misses('a.js'))).toBe(false)
  vi.runAllTimers()
  expect(reload).not.toHaveBeenCalled()
  device.onLine = true
  page.misses('a.js')
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledOnce()
})

test('for a chunk that was only loaded ahead it does not reload, until a screen cannot be shown without it', async () => {
  const page = await opened()
  const error = page.misses('a.js')
  page.withoutReload(error)
  vi.runAllTimers()
  expect(reload).not.toHaveBeenCalled()
  expect(page.reloadsFor(error)).toBe(true)
  vi.runAllTimers()
  expect(reload).toHaveBeenCalledOnce()
})

test('another error of a screen reloads nothing', async () => {
  const page = await opened()
  expect(page.reloadsFor(new Error('a fault of the screen'))).toBe(false)
  vi.runAllTimers()
  expect(reload).not.toHaveBeenCalled()
})
