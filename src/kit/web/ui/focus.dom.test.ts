import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openerOf, returnFocus, toTopOf } from './focus.ts'
import { passFocusOn, passFocusOnLeave } from './passFocus.ts'

const $ = (selector: string) => document.querySelector<HTMLElement>(selector)!
const focused = () => document.activeElement?.id ?? null
const focus = (selector: string) => $(selector).focus()
const leaveAll = () => (document.activeElement as HTMLElement).blur()
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = `
    <main>
      <h1 id="heading" tabindex="-1">Tests</h1>
      <svg id="icon" tabindex="0"></svg>
      <button id="more">More</button>
      <div role="menu" aria-labelledby="more"><button id="item" role="menuitem">Delete</button></div>
      <div role="menu"><button id="unnamed" role="menuitem">Delete</button></div>
      <p><span id="around"><button id="opener">Open</button></span></p>
      <button id="disabled" disabled>Open</button>
      <button id="other">Other</button>
    </main>`
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a dialog was opened', () => {
  test.each([
    ['opener', 'opener'],
    ['unnamed', 'unnamed'],
    // Named after its menu's button, because it disappears with its menu.
    ['item', 'more'],
  ])('by the focused element: %s → %s', (id, opener) => {
    fireEvent.mouseDown($('#other'))
    expect(openerOf($(`#${id}`))?.id).toBe(opener)
  })

  test.each([
    ['nothing', () => null],
    ['the page', () => document.body],
    ['no element of HTML', () => $('#icon')],
  ])('by what was pressed last, if the focus is on %s', (_, at) => {
    fireEvent.mouseDown($('#opener'))
    expect(openerOf(at())?.id).toBe('opener')
    fireEvent.mouseDown($('#item'))
    expect(openerOf(at())?.id).toBe('more')
    fireEvent.mouseDown($('#heading'))
    expect(openerOf(at())).toBeNull()
  })
})

describe('when a dialog closes', () => {
  test('the focus returns to the opener', () => {
    returnFocus($('#opener'))
    expect(focused()).toBe('opener')
  })

  test('a focus that has moved on stays there', () => {
    focus('#other')
    returnFocus($('#opener'))
    expect(focused()).toBe('other')
  })

  test.each([
    ['gone', () => document.createElement('button')],
    ['disabled', () => $('#disabled')],
    ['unknown', () => null],
  ])('the focus goes to the screen’s heading without scrolling if the opener is %s', (_, opener) => {
    const onHeading = vi.spyOn($('#heading'), 'focus')
    returnFocus(opener())
    expect(focused()).toBe('heading')
    expect(onHeading.mock.calls).toEqual([[{ preventScroll: true }]])
  })

  test('a screen without a heading is left alone', () => {
    $('#heading').remove()
    returnFocus(null)
    expect(document.activeElement).toBe(document.body)
  })

  test('the opener receives the focus even if no element has it', () => {
    vi.spyOn(document, 'activeElement', 'get').mockReturnValue(null)
    const onOpener = vi.spyOn($('#opener'), 'focus')
    returnFocus($('#opener'))
    expect(onOpener).toHaveBeenCalledOnce()
  })
})

describe('an opener that is removed after the dialog', () => {
  test('leaves the focus to the heading, whatever else changed before', async () => {
    returnFocus($('#opener'))
    $('#other').remove()
    await pass(4999)
    expect(focused()).toBe('opener')
    $('#around').remove()
    await pass(0)
    expect(focused()).toBe('heading')
  })

  test('is watched for at most 5 seconds', async () => {
    returnFocus($('#opener'))
    await pass(5000)
    $('#around').remove()
    await pass(0)
    expect(document.activeElement).toBe(document.body)
  })

  test('leaves a focus that has moved on where it is', async () => {
    returnFocus($('#opener'))
    focus('#other')
    $('#opener').remove()
    await pass(0)
    expect(focused()).toBe('other')
  })

  test('moves the focus only once', async () => {
    returnFocus($('#opener'))
    $('#opener').remove()
    await pass(0)
    leaveAll()
    $('#other').remove()
    await pass(0)
    expect(document.activeElement).toBe(document.body)
  })
})

describe('a form that is removed while it has the focus', () => {
  beforeEach(() => {
    document.body.innerHTML = `
      <main id="main">
        <ul><li id="row"><section id="section"><form id="form"><input id="input"></form></section></li></ul>
        <button id="other">Other</button>
      </main>
      <div role="dialog"><section><form id="asked"><input id="reason"></form></section></div>`
  })

  test.each([
    ['form', 'section'],
    ['section', 'row'],
    ['row', 'main'],
  ])('passes it to what remains around it, without scrolling: without the %s, to the %s', async (gone, stays) => {
    focus('#input')
    const onStaying = vi.spyOn($(`#${stays}`), 'focus')
    passFocusOn($('#form'))
    $(`#${gone}`).remove()
    await pass(0)
    expect([focused(), $(`#${stays}`).tabIndex]).toEqual([stays, -1])
    expect(onStaying.mock.calls).toEqual([[{ preventScroll: true }]])
  })

  test('passes it to nothing if the whole screen is removed', async () => {
    focus('#input')
    passFocusOn($('#form'))
    $('#main').remove()
    await pass(0)
    expect(document.activeElement).toBe(document.body)
  })

  test.each([
    ['#other', '#form', 'it did not have the focus'],
    ['#reason', '#asked', 'a dialog looks after its own'],
  ])('leaves the focus alone: %s %s, %s', async (at, going) => {
    focus(at)
    passFocusOn($(going))
    leaveAll()
    $(going).remove()
    await pass(0)
    expect(document.activeElement).toBe(document.body)
  })

  test('leaves a focus that has moved on where it is', async () => {
    focus('#input')
    passFocusOn($('#form'))
    focus('#other')
    await pass(0)
    expect(focused()).toBe('other')
  })

  test('may be gone already', async () => {
    passFocusOn(null)
    await pass(0)
    expect(document.activeElement).toBe(document.body)
  })

  test('also works as a ref, when the element is removed', async () => {
    focus('#input')
    const leave = passFocusOnLeave($('#input'))
    await pass(0)
    expect(focused()).toBe('input')
    leave()
    $('#form').remove()
    await pass(0)
    expect(focused()).toBe('section')
  })
})

describe('after a list has changed its page', () => {
  const listed = (html: string, top: number) => {
    document.body.innerHTML = `<section id="part">${html}</section>`
    const part = Object.assign($('#part'), { scrollIntoView: vi.fn<() => void>() })
    vi.spyOn(part, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top))
    return part
  }

  test.each([
    ['<h2>Tests</h2><table id="rows"></table>', 'rows'],
    ['<ul id="rows"></ul>', 'rows'],
    ['<ol id="rows"></ol>', 'rows'],
    ['<p>None</p>', 'part'],
  ])('the focus is on its rows, without scrolling: %s → %s', (html, id) => {
    const part = listed(html, 0)
    const onRows = vi.spyOn($(`#${id}`), 'focus')
    toTopOf(part)
    expect([focused(), $(`#${id}`).tabIndex]).toEqual([id, -1])
    expect(onRows.mock.calls).toEqual([[{ preventScroll: true }]])
  })

  test.each([
    [-1, 1],
    [0, 0],
    [1, 0],
  ])('it scrolls only if its top is out of view: %i → %i', (top, times) => {
    const part = listed('<ul></ul>', top)
    toTopOf(part)
    expect(part.scrollIntoView).toHaveBeenCalledTimes(times)
  })

  test('a missing list is no error', () => {
    expect(() => toTopOf(null)).not.toThrow()
  })
})
