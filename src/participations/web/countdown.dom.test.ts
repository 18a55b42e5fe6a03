import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useCountdown } from './countdown.ts'

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('each second is one less, and the last one stays', () => {
  const to = performance.now() + 3000
  const { result, unmount } = renderHook(() => useCountdown(to))
  const left = [0, 1000, 1000, 1000, 1000].map(ms => {
    pass(ms)
    return result.current
  })
  expect(left).toEqual([3, 2, 1, 1, 1])
  unmount()
})

test('whoever begins to look later sees the time that is left, and nothing runs on when it is gone', () => {
  const to = performance.now() + 5000
  pass(2000)
  const { result, rerender, unmount } = renderHook(() => useCountdown(to))
  expect(result.current).toBe(3)
  rerender()
  pass(1000)
  expect([result.current, vi.getTimerCount()]).toEqual([2, 1])
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
