/** An upload has to keep a pace: after 15 free seconds, 32 kB per second on average, for at most 30 minutes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DomainError } from '../errors.ts'
import { watchPace } from './slowCallers.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The second in which an upload that has sent `bytes(seconds)` is refused; null if it is not refused within an hour. */
const refusedAfter = (bytes: (seconds: number) => number): { seconds: number; refusal: DomainError } | null => {
  let seconds = 0
  const refusals: DomainError[] = []
  const stop = watchPace(
    () => bytes(seconds),
    refusal => refusals.push(refusal),
  )
  while (seconds < 3600 && refusals.length === 0) {
    seconds++
    vi.advanceTimersByTime(1000)
  }
  stop()
  const [refusal] = refusals
  return refusal ? { seconds, refusal } : null
}

test('an upload that sends nothing is refused after 15 seconds', () => {
  const { seconds, refusal } = refusedAfter(() => 0)!
  expect(seconds).toBe(16)
  expect(refusal).toMatchObject({
    code: 'REQUEST_TIMEOUT',
    message: 'The request took too long to arrive. Send it again.',
  })
})

test('an upload that was fast may pause until its average falls below 32 kB a second', () => {
  expect(refusedAfter(() => 320_000)!.seconds).toBe(26)
})

test('exactly the required pace is fast enough, and a byte per second less is not', () => {
  expect(refusedAfter(seconds => Math.max(0, seconds - 15) * 32_000)!.seconds).toBe(1801)
  expect(refusedAfter(seconds => Math.max(0, seconds - 15) * 31_999)!.seconds).toBe(16)
})

test('no upload may take longer than 30 minutes, however fast it is', () => {
  expect(refusedAfter(seconds => seconds * 1_000_000)!.seconds).toBe(1801)
})

test('a finished upload is no longer checked', () => {
  const refuse = vi.fn()
  watchPace(() => 0, refuse)()
  vi.advanceTimersByTime(60_000)
  expect(refuse).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
