import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useTask } from './task.ts'

const idle = { pending: false, error: null }
const refusal = new Error('No')

const begun = () => {
  const inputs: [string, number][] = []
  const works: PromiseWithResolvers<void>[] = []
  const { result } = renderHook(() =>
    useTask((name: string, count: number) => {
      inputs.push([name, count])
      const work = Promise.withResolvers<void>()
      works.push(work)
      return work.promise
    }),
  )
  const state = () => ({ pending: result.current.pending, error: result.current.error })
  let settled: boolean | undefined
  return {
    inputs,
    state,
    settled: () => settled,
    run: () =>
      act(async () => {
        settled = undefined
        void result.current.run('a', 1).then(succeeded => (settled = succeeded))
      }),
    succeed: () => act(async () => works.at(-1)!.resolve()),
    fail: () => act(async () => works.at(-1)!.reject(refusal)),
    reset: () => act(() => result.current.reset()),
  }
}

test('work that succeeds is pending until it has finished', async () => {
  const { inputs, state, settled, run, succeed } = begun()
  expect(state()).toEqual(idle)
  await run()
  expect([inputs, state(), settled()]).toEqual([[['a', 1]], { pending: true, error: null }, undefined])
  await succeed()
  expect([state(), settled()]).toEqual([idle, true])
})

test('a failure is kept and not thrown, until the next try or a reset', async () => {
  const { state, settled, run, fail, reset } = begun()
  await run()
  await fail()
  expect([state(), settled()]).toEqual([{ pending: false, error: refusal }, false])
  await run()
  expect(state()).toEqual({ pending: true, error: null })
  await fail()
  reset()
  expect(state()).toEqual(idle)
})
