import { act, cleanup, render } from '@testing-library/react'
import { Component, createElement, type ReactNode, Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { laterPart, startedPart } from './laterPart.ts'
import { lazyParts } from './lazyParts.ts'

const Greeting = ({ name }: { name: string }) => `Hello ${name}`

/** A file that loads when a test says so. */
const file = <T>() => {
  const asked: PromiseWithResolvers<T>[] = []
  const load = () => {
    const answer = Promise.withResolvers<T>()
    asked.push(answer)
    return answer.promise
  }
  return {
    load,
    times: () => asked.length,
    come: (what: T) => act(async () => asked.at(-1)!.resolve(what)),
    fail: () => act(async () => asked.at(-1)!.reject(new Error('no line'))),
  }
}

class Boundary extends Component<{ children: ReactNode }> {
  override state = { said: null as string | null }
  static getDerivedStateFromError = (error: Error) => ({ said: error.message })
  override render() {
    return this.state.said ?? this.props.children
  }
}

const shown = () => document.body.textContent
const greet = (Later: ReturnType<typeof laterPart<{ name: string }>>, name = 'Ann') =>
  render(createElement(Boundary, null, createElement(Later, { name })))

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a part is loaded when it is first shown, and then replaces its placeholder', async () => {
  const { load, times, come } = file<typeof Greeting>()
  const Later = laterPart(load, 'Loading')
  expect(times()).toBe(0)
  greet(Later)
  expect([shown(), times()]).toEqual(['Loading', 1])
  await come(Greeting)
  expect(shown()).toBe('Hello Ann')
})

test('a loaded part is shown at once, and is loaded only once however often it is shown', async () => {
  const { load, times, come } = file<typeof Greeting>()
  const Later = laterPart(load, 'Loading')
  Later.preload()
  await come(Greeting)
  greet(Later).unmount()
  greet(Later, 'Ben')
  expect([shown(), times()]).toEqual(['Hello Ben', 1])
})

test('a loaded part requests nothing and is not rendered again', async () => {
  const drawn = vi.fn(Greeting)
  const { load, come } = file<typeof Greeting>()
  const Later = startedPart(load, 'Loading')
  await come(drawn)
  greet(Later)
  await act(async () => {})
  expect(drawn).toHaveBeenCalledTimes(1)
})

test('a part whose file cannot be loaded fails on the screen, and the next screen tries again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { load, times, come, fail } = file<typeof Greeting>()
  const Later = laterPart(load, 'Loading')
  const first = greet(Later)
  await fail()
  expect(shown()).toBe('no line')
  first.unmount()
  greet(Later)
  await come(Greeting)
  expect([shown(), times()]).toEqual(['Hello Ann', 2])
})

test('a part that is sure to be shown starts to load with its module', async () => {
  const { load, times, come } = file<typeof Greeting>()
  const Later = startedPart(load, 'Loading')
  expect(times()).toBe(1)
  await come(Greeting)
  greet(Later)
  expect(shown()).toBe('Hello Ann')
})

test('a failed preload causes no error, and the next call tries again', async () => {
  const { load, times, come, fail } = file<{ word: string }>()
  const parts = lazyParts(load)
  parts.preload()
  parts.preload()
  expect(times()).toBe(1)
  await fail()
  expect(parts.now()).toBeNull()
  const loading = parts.load()
  await come({ word: 'here' })
  expect([await loading, parts.now(), times()]).toEqual([{ word: 'here' }, { word: 'here' }, 2])
})

test('a module in use suspends until it is loaded, and afterwards renders within the same tap', async () => {
  const { load, come } = file<{ word: string }>()
  const parts = lazyParts(load)
  const Word = () => parts.use().word
  const view = () => createElement(Suspense, { fallback: 'Waiting' }, createElement(Word))
  await act(async () => {
    render(view())
  })
  expect(shown()).toBe('Waiting')
  await come({ word: 'here' })
  expect(shown()).toBe('here')
  const container = document.createElement('p')
  render(view(), { container })
  expect(container.textContent).toBe('here')
})
