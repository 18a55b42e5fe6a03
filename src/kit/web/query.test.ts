import { QueryObserver } from '@tanstack/react-query'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { ApiError } from './apiError.ts'

vi.stubGlobal('addEventListener', () => {})
stubLocalStorage()

const { session } = await import('./session.ts')
const { queryClient } = await import('./query.ts')

const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: `refresh-${id}`,
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })

beforeEach(() => {
  vi.useFakeTimers()
  signIn('ann')
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

/** When each attempt was made, in ms after the first. */
const attemptsOf = async (failure: unknown) => {
  const start = Date.now()
  const attempts: number[] = []
  const asked = queryClient.fetchQuery({
    queryKey: ['tried', failure],
    queryFn: () => {
      attempts.push(Date.now() - start)
      throw failure
    },
  })
  const settled = asked.catch(() => {})
  await vi.runAllTimersAsync()
  await settled
  return attempts
}

test('a query that fails is repeated three times, after 1, 2 and 4 seconds (spec §9)', async () => {
  for (const status of [0, 500, 503]) {
    expect(await attemptsOf(new ApiError(status, 'Not now'))).toEqual([0, 1000, 3000, 7000])
  }
})

test('the pause between attempts never exceeds 30 seconds (spec §9)', () => {
  const { retryDelay } = queryClient.getDefaultOptions().queries!
  expect(typeof retryDelay === 'function' && retryDelay(10, new Error('Not now'))).toBe(30_000)
})

test('a refused prefetch is not repeated when the screen is shown, but is when it is opened later', async () => {
  let asked = 0
  const options = {
    queryKey: ['ahead'],
    queryFn: () => {
      asked += 1
      throw new ApiError(asked < 3 ? 404 : 500, 'No')
    },
    retry: false,
  }
  const show = async () => {
    const stop = new QueryObserver(queryClient, options).subscribe(() => {})
    await vi.advanceTimersByTimeAsync(0)
    stop()
    return asked
  }
  await queryClient.prefetchQuery(options)
  expect(await show()).toBe(1)
  await vi.advanceTimersByTimeAsync(1001)
  expect(await show()).toBe(2)
  await vi.advanceTimersByTimeAsync(1001)
  expect(await show()).toBe(3)
  // This is a failure and no refusal.
  expect(await show()).toBe(4)
})

test('a refused query is not repeated', async () => {
  for (const status of [400, 401, 403, 404, 409, 422, 429, 499]) {
    expect(await attemptsOf(new ApiError(status, 'No'))).toEqual([0])
  }
})

test('a mutation is sent once, even if no reply comes', async () => {
  const send = vi.fn(() => Promise.reject(new ApiError(0, 'Network error')))
  const change = queryClient.getMutationCache().build(queryClient, { mutationFn: send })
  const settled = change.execute(undefined).catch(() => {})
  await vi.runAllTimersAsync()
  await settled
  expect(send).toHaveBeenCalledTimes(1)
})

test.each([
  ['is shown to the next', () => signIn('bob')],
  ['is left after signing out', () => session.clear()],
])('nothing that one person has loaded %s', (_, change) => {
  queryClient.setQueryData(['balance'], 1000)
  change()
  expect(queryClient.getQueryData(['balance'])).toBeUndefined()
})

test('a new token or a new name of the same person keeps loaded data', () => {
  queryClient.setQueryData(['balance'], 1000)
  session.rotate({ accessToken: 'next', refreshToken: 'next' })
  session.update({ id: 'ann', email: 'ann@example.com', name: 'Ann B.', role: 'TESTER' })
  expect(queryClient.getQueryData(['balance'])).toBe(1000)
})

const askAgain = () => {
  const ask = vi.fn(async () => 'new')
  void queryClient.fetchQuery({ queryKey: ['seen'], queryFn: ask, staleTime: 0 })
  return ask
}

test('data that is already shown is reloaded after the next frame is painted; missing data is loaded at once', async () => {
  const frames: (() => void)[] = []
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  expect(askAgain()).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(10)

  const ask = askAgain()
  await vi.advanceTimersByTimeAsync(10)
  expect(ask).not.toHaveBeenCalled()
  for (const frame of frames) frame()
  expect(ask).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(10)
  expect(ask).toHaveBeenCalledOnce()
})

test('a hidden page has no frames, and loads at once', async () => {
  vi.stubGlobal('document', { hidden: true })
  queryClient.setQueryData(['seen'], 'old')
  const ask = askAgain()
  await vi.advanceTimersByTimeAsync(10)
  expect(ask).toHaveBeenCalledOnce()
})
