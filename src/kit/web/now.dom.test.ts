import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clock } from '../clock.ts'
import { useNow } from './now.ts'

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T12:00:00.000Z') })
})
afterEach(() => {
  clock.setOffsetMs(0)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('a screen’s time advances every 15 seconds, and not in between', () => {
  const { result, unmount } = renderHook(useNow)
  const times = [14_999, 1, 14_999, 1].map(ms => {
    pass(ms)
    return result.current
  })
  expect(times.map(time => time.slice(11, 19))).toEqual(['12:00:00', '12:00:15', '12:00:15', '12:00:30'])
  unmount()
})

test('it is the server’s time', () => {
  clock.setOffsetMs(3_600_000)
  const { result, unmount } = renderHook(useNow)
  expect(result.current).toBe('2026-11-22T13:00:00.000Z')
  unmount()
})

test('time that passes while a screen is drawn causes no second render', () => {
  let ms = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => ms++)
  let drawn = 0
  const { unmount } = renderHook(() => {
    drawn++
    return useNow()
  })
  expect(drawn).toBe(1)
  unmount()
})

test('no timer is left when the screen is gone', () => {
  const { unmount } = renderHook(useNow)
  expect(vi.getTimerCount()).toBe(1)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
