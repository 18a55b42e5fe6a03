import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let arrival: typeof import('./arrival.ts')
/** How the browser came to this document. */
const loadedBy = (...types: string[]) =>
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(kind => {
    expect(kind).toBe('navigation')
    return types.map(type => ({ type })) as unknown as PerformanceEntryList
  })
const shown = (): HTMLElement => {
  const heading = document.createElement('h1')
  heading.tabIndex = -1
  document.body.append(heading)
  return heading
}

// The module's state lasts for one visit.
beforeEach(async () => {
  vi.resetModules()
  arrival = await import('./arrival.ts')
})
afterEach(() => {
  document.body.replaceChildren()
  location.hash = ''
  vi.restoreAllMocks()
})

test('the heading of the first screen leaves the focus where it is', () => {
  arrival.focusOnArrival(shown())
  expect(document.activeElement).toBe(document.body)
})

test('the next heading receives the focus, once per navigation and without scrolling', () => {
  const [first, second, later] = [shown(), shown(), shown()]
  const focus = vi.spyOn(first, 'focus')
  arrival.expectHeading()
  arrival.focusOnArrival(null)
  arrival.focusOnArrival(first)
  expect(document.activeElement).toBe(first)
  expect(focus.mock.calls).toEqual([[{ preventScroll: true }]])
  arrival.focusOnArrival(second)
  expect(document.activeElement).toBe(first)
  arrival.expectHeading()
  arrival.focusOnArrival(later)
  expect(document.activeElement).toBe(later)
})

test('a heading that is removed with the focus passes it on to the next one', () => {
  const [loading, loaded] = [shown(), shown()]
  arrival.expectHeading()
  arrival.focusOnArrival(loading)()
  arrival.focusOnArrival(loaded)
  expect(document.activeElement).toBe(loaded)
})

test('a heading that is removed without the focus passes nothing on', () => {
  const [old, field, next] = [shown(), shown(), shown()]
  arrival.expectHeading()
  const leave = arrival.focusOnArrival(old)
  field.focus()
  leave()
  arrival.focusOnArrival(next)
  expect(document.activeElement).toBe(field)
})

test('if nothing has the focus, a heading that never appeared passes nothing on', () => {
  vi.spyOn(document, 'activeElement', 'get').mockReturnValue(null)
  const next = shown()
  const focus = vi.spyOn(next, 'focus')
  arrival.focusOnArrival(null)()
  arrival.focusOnArrival(next)
  expect(focus).not.toHaveBeenCalled()
})

test.each([
  ['followed a link', ['navigate'], true],
  ['reloaded it', ['reload'], false],
  ['came Back to it', ['back_forward'], false],
  ['came in a way that the browser does not tell', [], false],
])('whoever %s reads the first screen from its top: %#', (_, types, fromTop) => {
  loadedBy(...types)
  expect(arrival.beginsAtTop()).toBe(fromTop)
})

test.each([true, false])(
  'a screen navigated to is read from its top, except after Back, however it was loaded',
  back => {
    loadedBy(back ? 'navigate' : 'reload')
    arrival.noteReturn(back)
    arrival.expectHeading()
    expect(arrival.beginsAtTop()).toBe(!back)
  },
)

test('the effect of Back ends with the next navigation', () => {
  arrival.expectHeading()
  expect(arrival.beginsAtTop()).toBe(true)
  arrival.noteReturn(true)
  arrival.noteReturn(false)
  expect(arrival.beginsAtTop()).toBe(true)
})

test('a screen whose address has a fragment is read from there', () => {
  loadedBy('navigate')
  location.hash = '#analytics'
  expect(arrival.beginsAtTop()).toBe(false)
  arrival.expectHeading()
  expect(arrival.beginsAtTop()).toBe(false)
})
