/** The page in a browser that lacks what polyfills.ts adds. jsdom has no popovers. */
import { fireEvent } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'

const missing = [
  [Map, 'groupBy'],
  [Object, 'groupBy'],
  [Promise, 'withResolvers'],
  [URL, 'canParse'],
  [AbortSignal, 'any'],
  [Element.prototype, 'checkVisibility'],
] as const
const natives = missing.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))

beforeAll(async () => {
  for (const [owner, name] of missing) Reflect.deleteProperty(owner, name)
  await import('./polyfills.ts')
})
afterAll(() => {
  for (const [at, [owner, name]] of missing.entries()) {
    const native = natives[at]
    if (native) Object.defineProperty(owner, name, native)
    else Reflect.deleteProperty(owner, name)
  }
})

test('values are grouped, a promise is settled from outside, and an address is told from what is none', async () => {
  const byParity = (value: number) => (value % 2 === 0 ? 'even' : 'odd')
  expect([...Map.groupBy([1, 2, 3], byParity)]).toEqual(Object.entries({ odd: [1, 3], even: [2] }))
  expect({ ...Object.groupBy([1, 2, 3], byParity) }).toEqual({ odd: [1, 3], even: [2] })
  const kept = Promise.withResolvers<number>()
  kept.resolve(1)
  expect(await kept.promise).toBe(1)
  expect([URL.canParse('/a'), URL.canParse('/a', 'https://fieldtest.test')]).toEqual([false, true])
})

test('a signal of several is aborted by the first of them, with its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const any = AbortSignal.any([one.signal, other.signal])
  expect(any.aborted).toBe(false)
  other.abort('other')
  one.abort('one')
  expect([any.aborted, any.reason]).toEqual([true, 'other'])
  expect(AbortSignal.any([new AbortController().signal, one.signal]).reason).toBe('one')
})

test('a popover opens with its button and is told of, and Escape closes it', async () => {
  document.body.innerHTML = '<button popovertarget="menu">Menu</button><div id="menu" popover="auto">In it</div>'
  const menu = document.getElementById('menu')!
  const told: string[] = []
  menu.addEventListener('toggle', event => told.push((event as ToggleEvent).newState))
  const shown = () => [...document.querySelectorAll('[role="menu"], [popover]:popover-open')]

  expect(shown()).toEqual([])
  fireEvent.click(document.querySelector('button')!)
  expect(shown()).toEqual([menu])
  await expect.poll(() => told).toEqual(['open'])
  fireEvent.keyDown(menu, { key: 'Escape' })
  expect(shown()).toEqual([])
  await expect.poll(() => told).toEqual(['open', 'closed'])
})
