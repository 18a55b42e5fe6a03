import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPress, lastPressed } from './press.ts'

const $ = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const waiting = () => {
  const work = vi.fn<() => void>()
  const done = afterPress(work)
  return { work, done }
}

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = `
    <button id="button"><b id="label">Save</b></button>
    <a id="link" href="/tests"><b id="words">Tests</b></a>
    <a id="anchor">Here</a>
    <p id="text">Text</p>`
})
afterEach(async () => {
  fireEvent.mouseUp(document.body)
  await pass(1000)
  vi.useRealTimers()
})

test('without a press, work is done at once', () => {
  expect(waiting().work).toHaveBeenCalledOnce()
})

test.each(['mouseUp', 'dragEnd'] as const)('during a press, work waits until the click that follows %s', async end => {
  fireEvent.mouseDown($('text'))
  const { work } = waiting()
  await pass(10)
  fireEvent[end]($('text'))
  await Promise.resolve()
  expect(work).not.toHaveBeenCalled()
  await pass(0)
  expect(work).toHaveBeenCalledOnce()
  expect(waiting().work).toHaveBeenCalledOnce()
})

test('a press that never ends delays work by at most a second', async () => {
  fireEvent.mouseDown($('text'))
  const { work } = waiting()
  await pass(999)
  expect(work).not.toHaveBeenCalled()
  await pass(1)
  expect(work).toHaveBeenCalledOnce()
})

test('the next press ends the previous one, and has its own second', async () => {
  fireEvent.mouseDown($('text'))
  const first = waiting()
  await pass(900)
  fireEvent.mouseDown($('text'))
  const second = waiting()
  await pass(0)
  expect([first.work.mock.calls.length, second.work.mock.calls.length]).toEqual([1, 0])
  await pass(999)
  expect(second.work).not.toHaveBeenCalled()
})

test('a component that stops the events makes no difference', async () => {
  for (const type of ['mousedown', 'mouseup', 'dragend']) $('button').addEventListener(type, e => e.stopPropagation())
  fireEvent.mouseDown($('label'))
  const { work } = waiting()
  expect([lastPressed()?.id, work.mock.calls]).toEqual(['button', []])
  fireEvent.mouseUp($('label'))
  await pass(0)
  expect(work).toHaveBeenCalledOnce()
})

test('the caller learns when the work is done, and how it failed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = vi.fn<() => void>()
  const all = afterPress(() => promise).then(done)
  await pass(0)
  expect(done).not.toHaveBeenCalled()
  resolve()
  await all
  expect(done).toHaveBeenCalledOnce()
  await expect(afterPress(() => Promise.reject(new Error('No')))).rejects.toThrow('No')
})

test.each([
  ['button', 'button'],
  ['label', 'button'],
  ['words', 'link'],
  ['anchor', undefined],
  ['text', undefined],
])('a press on the %s counts as one on the %s', (on, pressed) => {
  fireEvent.mouseDown($(on))
  expect(lastPressed()?.id).toBe(pressed)
})

test('a press on no element counts as one on nothing', () => {
  fireEvent.mouseDown($('button'))
  fireEvent.mouseDown(document)
  expect(lastPressed()).toBeNull()
})
