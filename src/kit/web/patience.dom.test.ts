import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './apiError.ts'
import { patiently } from './patience.ts'
import { session } from './session.ts'

const busy = () => new ApiError(503, 'Busy')
const noAnswer = () => new ApiError(0, 'Network error', { code: 'NETWORK' })

/** A call that fails with each of these in turn, and then succeeds. */
const calling = (...failures: unknown[]) => {
  const call = vi.fn(async () => {
    if (failures.length > 0) throw failures.shift()
    return 'done'
  })
  const left = new AbortController()
  const ended = patiently(call, left.signal).then(
    () => 'done',
    (error: unknown) => error,
  )
  return { call, ended, left }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: 'refresh',
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })

beforeEach(() => {
  vi.useFakeTimers()
  signIn('ann')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test.each([
  ['that is busy', busy],
  ['that does not answer', noAnswer],
])('a browser that is online repeats a call to a server %s after 0.5, 1.5 and 3 seconds', async (_, failure) => {
  const { call, ended } = calling(failure(), failure(), failure())
  for (const [tries, ms] of [500, 1_500, 3_000].entries()) {
    await pass(ms - 1)
    expect(call).toHaveBeenCalledTimes(tries + 1)
    await pass(1)
    expect(call).toHaveBeenCalledTimes(tries + 2)
  }
  expect(await ended).toBe('done')
})

test('after the fourth failure the person decides', async () => {
  const last = busy()
  const { call, ended } = calling(busy(), busy(), busy(), last, busy())
  await pass(60_000)
  expect([call.mock.calls.length, await ended]).toEqual([4, last])
})

test.each([
  ['a refusal', new ApiError(409, 'Not now')],
  ['a fault of the page', new TypeError('undefined is not a function')],
])('%s is final', async (_, failure) => {
  const { call, ended } = calling(failure)
  await pass(60_000)
  expect([call.mock.calls.length, await ended]).toEqual([1, failure])
})

test('a browser that is offline fails at once', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const failure = noAnswer()
  const { call, ended } = calling(failure)
  await pass(60_000)
  expect([call.mock.calls.length, await ended]).toEqual([1, failure])
})

test.each<[string, (left: AbortController) => void]>([
  ['whoever has left', left => left.abort()],
  ['somebody who has signed in meanwhile', () => signIn('ben')],
])('nothing is repeated for %s', async (_, happens) => {
  const failure = busy()
  const { call, ended, left } = calling(failure)
  await pass(499)
  happens(left)
  await pass(60_000)
  expect([call.mock.calls.length, await ended]).toEqual([1, failure])
})
