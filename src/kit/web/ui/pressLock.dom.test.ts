import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePressLock } from './pressLock.ts'

const begun = (loading: boolean) => {
  const { result, rerender } = renderHook(usePressLock, { initialProps: loading })
  return { lock: () => result.current, isLoading: rerender }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the second click of a double click does nothing', () => {
  const { lock } = begun(false)
  expect([lock().take(), lock().take()]).toEqual([true, false])
})

test('a press that started nothing unlocks the button at once', () => {
  const { lock } = begun(false)
  lock().take()
  lock().release()
  expect(lock().take()).toBe(true)
})

test('a press that turns out to start nothing unlocks the button after the time of a double click', () => {
  const { lock } = begun(false)
  lock().take()
  lock().letGo()
  vi.advanceTimersByTime(299)
  expect(lock().take()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(lock().take()).toBe(true)
})

test('work locks the button until it is done, however it was started', () => {
  const { lock, isLoading } = begun(true)
  expect(lock().take()).toBe(false)
  isLoading(false)
  expect(lock().take()).toBe(true)
  lock().letGo()
  isLoading(true)
  vi.advanceTimersByTime(300)
  lock().release()
  expect(lock().take()).toBe(false)
  isLoading(false)
  expect(lock().take()).toBe(true)
})

test('work that a press started unlocks the button when it is done', () => {
  const { lock, isLoading } = begun(false)
  lock().take()
  isLoading(true)
  isLoading(false)
  expect(lock().take()).toBe(true)
})

test('work that fails before it was seen running unlocks the button with the failure', () => {
  const { result, rerender } = renderHook(({ failure }) => usePressLock(false, failure), {
    initialProps: { failure: null as Error | null },
  })
  result.current.take()
  result.current.letGo()
  rerender({ failure: new Error('Network error') })
  expect(result.current.take()).toBe(true)
})
