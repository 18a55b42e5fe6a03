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
  const { result, unmount } = renderHook(() => useCountdown(3000))
  const left = [0, 999, 1, 999, 1, 1000, 1000].map(ms => {
    pass(ms)
    return result.current
  })
  expect(left).toEqual([3, 3, 2, 2, 1, 1, 1])
  unmount()
})

test('a new drawing does not begin it anew, and nothing runs on when it is gone', () => {
  const { result, rerender, unmount } = renderHook(() => useCountdown(5000))
  pass(600)
  rerender()
  pass(400)
  expect([result.current, vi.getTimerCount()]).toEqual([4, 1])
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
