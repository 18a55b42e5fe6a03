/** public/polyfills.js, as a browser runs it that lacks everything in it. jsdom has no popovers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fireEvent } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'

const script = readFileSync(join(import.meta.dirname, '../../../public/polyfills.js'), 'utf8')

const missing = [
  [Map, 'groupBy'],
  [Object, 'groupBy'],
  [Promise, 'withResolvers'],
  [URL, 'canParse'],
  [AbortSignal, 'any'],
  [Element.prototype, 'checkVisibility'],
] as const
const natives = missing.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))

beforeAll(() => {
  for (const [owner, name] of missing) Reflect.deleteProperty(owner, name)
  // oxlint-disable-next-line typescript/no-implied-eval -- as a classic script, which an import would not be
  new Function(script)()
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }))
})
afterAll(() => {
  for (const [at, [owner, name]] of missing.entries()) {
    const native = natives[at]
    if (native) Object.defineProperty(owner, name, native)
    else Reflect.deleteProperty(owner, name)
  }
})

test('values are grouped in the order in which their groups come', () => {
  const byParity = (value: number, index: number) => `${value % 2 === 0 ? 'even' : 'odd'}${index > 2 ? ', late' : ''}`
  const groups = { odd: [1, 3], even: [2], 'even, late': [4] }
  expect([...Map.groupBy(new Set([1, 2, 3, 4]), byParity)]).toEqual(Object.entries(groups))
  expect({ ...Object.groupBy([1, 2, 3, 4], byParity) }).toEqual(groups)
  expect(Object.getPrototypeOf(Object.groupBy([1], byParity))).toBeNull()
})

test('a promise is settled from outside', async () => {
  const [kept, broken] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  kept.resolve(1)
  broken.reject(new Error('no'))
  expect(await kept.promise).toBe(1)
  await expect(broken.promise).rejects.toThrow('no')
})

test('an address is told from what is none', () => {
  expect(URL.canParse('https://fieldtest.test')).toBe(true)
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

const arrange = () => {
  document.body.innerHTML = `
    <button id="opener" popovertarget="menu">Menu</button>
    <div id="menu" popover="auto"><a href="#in">In it</a></div>
    <button id="other" popovertarget="notice"><i>Notice</i></button>
    <div id="notice" popover="auto"><button id="close" popovertarget="notice" popovertargetaction="hide">Close</button></div>`
  const told: string[] = []
  const of = (id: string) => document.getElementById(id)!
  for (const id of ['menu', 'notice']) {
    of(id).addEventListener('toggle', event => told.push(`${id} ${(event as ToggleEvent).newState}`))
  }
  const press = (element: Element) => {
    fireEvent.pointerDown(element)
    fireEvent.click(element)
  }
  const shown = () => Array.from(document.querySelectorAll(':popover-open'), ({ id }) => id)
  return { of, press, shown, told }
}

test('a popover is hidden until its button is pressed, and again after a second press', () => {
  const { of, press, shown, told } = arrange()
  expect(shown()).toEqual([])
  press(of('opener'))
  expect(shown()).toEqual(['menu'])
  expect(document.querySelector('[role="menu"], [popover]:popover-open')).toBe(of('menu'))
  press(of('opener'))
  expect([shown(), told]).toEqual([[], ['menu open', 'menu closed']])
})

test('a press outside closes a popover, and one in it does not', () => {
  const { of, press, shown } = arrange()
  press(of('opener'))
  press(of('menu').firstElementChild!)
  expect(shown()).toEqual(['menu'])
  press(document.body)
  expect(shown()).toEqual([])
})

test('one popover closes as another one opens, and a button in it closes it', () => {
  const { of, press, shown } = arrange()
  press(of('opener'))
  press(of('other').firstElementChild!)
  expect(shown()).toEqual(['notice'])
  press(of('close'))
  expect(shown()).toEqual([])
})

test('Escape closes a popover, and the focus returns to its button', () => {
  const { of, press, shown } = arrange()
  of('opener').focus()
  press(of('opener'))
  of('menu').querySelector('a')!.focus()
  fireEvent.keyDown(of('menu'), { key: 'a' })
  expect(shown()).toEqual(['menu'])
  fireEvent.keyDown(of('menu'), { key: 'Escape' })
  expect([shown(), document.activeElement]).toEqual([[], of('opener')])
})

test('scripts open and close a popover, and what it shows is told once', () => {
  const { of, shown, told } = arrange()
  of('menu').showPopover()
  of('menu').showPopover()
  expect(shown()).toEqual(['menu'])
  of('menu').hidePopover()
  of('menu').hidePopover()
  expect([shown(), told]).toEqual([[], ['menu open', 'menu closed']])
})
