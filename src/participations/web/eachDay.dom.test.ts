import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useEachDay } from './eachDay.ts'

const stepMs = 15_000
const dayMs = 86_400_000

/** The screen of a query that was loaded at `dataUpdatedAt`, 0 for not yet, with tests in these zones. */
const shown = (dataUpdatedAt: number, ...zones: string[]) => {
  const tests = (zones.length > 0 ? zones : ['America/New_York']).map(timeZone => ({ timeZone }))
  const refetch = vi.fn<(options: { cancelRefetch: boolean }) => Promise<unknown>>().mockResolvedValue(undefined)
  const initialProps: Parameters<typeof useEachDay>[0] = { dataUpdatedAt, refetch }
  const useShown = (query: typeof initialProps) => useEachDay(query, query.dataUpdatedAt === 0 ? [] : tests)
  const { rerender, unmount } = renderHook(useShown, { initialProps })
  let last = dataUpdatedAt
  return {
    refetch,
    loaded: (at: number) => {
      last = at
      rerender({ dataUpdatedAt: at, refetch })
    },
    drawnAnew: () => rerender({ dataUpdatedAt: last, refetch: options => refetch(options) }),
    unmount,
  }
}

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T23:59:40-05:00') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a list is loaded again when a day begins, once for each day, and beside no other request for it', () => {
  const { refetch, loaded, unmount } = shown(0)
  loaded(1)
  pass(stepMs)
  expect(refetch.mock.calls).toEqual([])
  pass(stepMs)
  expect(refetch.mock.calls).toEqual([[{ cancelRefetch: false }]])
  pass(stepMs)
  loaded(2)
  pass(dayMs - 5 * stepMs)
  expect(refetch).toHaveBeenCalledTimes(1)
  pass(5 * stepMs)
  expect(refetch).toHaveBeenCalledTimes(2)
  unmount()
})

test('a list that was there from the beginning is loaded again, too', () => {
  const { refetch, unmount } = shown(1)
  pass(2 * stepMs)
  expect(refetch).toHaveBeenCalledTimes(1)
  unmount()
})

test('a day begins in the zones of the tests, whatever the zone of the browser is', () => {
  const { refetch, unmount } = shown(1, 'Asia/Kolkata', 'America/Chicago')
  pass(2 * stepMs)
  expect(refetch).not.toHaveBeenCalled()
  pass(dayMs / 24)
  expect(refetch).toHaveBeenCalledTimes(1)
  unmount()
})

test('what the new day has asked for is not asked for again while the answer is on its way', () => {
  const { refetch, drawnAnew, unmount } = shown(1)
  pass(2 * stepMs)
  drawnAnew()
  expect(refetch).toHaveBeenCalledTimes(1)
  unmount()
})

test('a list that comes after midnight is of the new day', () => {
  const { refetch, loaded, unmount } = shown(0)
  pass(2 * stepMs)
  loaded(1)
  expect(refetch).not.toHaveBeenCalled()
  unmount()
})

test('what is loaded as the day begins is of the new day', () => {
  const { refetch, loaded, unmount } = shown(1)
  vi.setSystemTime(Date.parse('2026-11-23T00:00:01-05:00'))
  loaded(2)
  expect(refetch).not.toHaveBeenCalled()
  unmount()
})
