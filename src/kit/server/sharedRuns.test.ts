/** One run for all who asked before it began. */
import { expect, test } from 'vitest'
import { sharedRuns } from './sharedRuns.ts'

/** Runs that end when they are told to, each with its number. */
const held = () => {
  const begun: PromiseWithResolvers<number>[] = []
  const ask = sharedRuns(() => {
    const run = Promise.withResolvers<number>()
    begun.push(run)
    return run.promise
  })
  const end = (number: number) => begun[number - 1]!.resolve(number)
  const whenBegun = async (number: number) => {
    await expect.poll(() => begun.length).toBe(number)
  }
  return { ask, end, whenBegun, fail: (number: number) => begun[number - 1]!.reject(new Error(`run ${number}`)) }
}

test('who asks together is served by one run', async () => {
  const { ask, end, whenBegun } = held()
  const asked = [ask(), ask(), ask()]
  await whenBegun(1)
  end(1)
  expect(await Promise.all(asked)).toEqual([1, 1, 1])
})

test('who asks while one is under way waits for the next, which begins when that one has ended', async () => {
  const { ask, end, whenBegun } = held()
  const first = ask()
  await whenBegun(1)
  const later = [ask(), ask()]
  end(1)
  expect(await first).toBe(1)
  await whenBegun(2)
  end(2)
  expect(await Promise.all(later)).toEqual([2, 2])
})

test('one that fails fails for those whom it serves, and the next begins all the same', async () => {
  const { ask, end, fail, whenBegun } = held()
  const failing = Promise.allSettled([ask(), ask()])
  await whenBegun(1)
  const later = ask()
  fail(1)
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await whenBegun(2)
  end(2)
  expect(await later).toBe(2)
})
