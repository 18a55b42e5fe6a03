import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { session } from '../../../kit/web/session.ts'
import { showLandingPage, theOne } from '../../../testing/web/landingPage.ts'
import { stubNetwork } from '../../../testing/network.ts'
import { enhanceWaitlistForm } from './waitlistForm.ts'

let network: ReturnType<typeof stubNetwork>

const form = () => theOne<HTMLFormElement>('#waitlist-form')
const email = () => theOne<HTMLInputElement>('#email')
const country = () => theOne<HTMLSelectElement>('#country')
const button = () => theOne<HTMLButtonElement>('button', form())
const failure = () => theOne('[data-failure]').textContent

/** The error beside each field, and whether the field is marked as invalid. */
const errors = () =>
  [email(), country()].map(control => [
    theOne(`#${control.id}-error [data-error]`).textContent,
    control.getAttribute('aria-invalid'),
  ])
const fine = ['', null]
const wrong = (message: string) => [message, 'true']

const fill = (address: string, where: string) => {
  email().value = address
  country().value = where
}
const isBusy = () => [button().getAttribute('aria-disabled') === 'true', !theOne<HTMLElement>('[data-busy]').hidden]
const toasts = () => [...document.querySelectorAll('#toasts > *')].map(({ textContent }) => textContent)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const submit = async () => {
  button().click()
  await pass(0)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  network.answer = () => Response.json({}, { status: 201 })
  localStorage.clear()
  showLandingPage()
  enhanceWaitlistForm(form())
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('before anything is sent', () => {
  test.each([
    ['', '', wrong('Email is required'), wrong('Country is required'), 'email'],
    ['ann', '', wrong('Enter a valid email address'), wrong('Country is required'), 'email'],
    ['ann', 'Germany', wrong('Enter a valid email address'), fine, 'email'],
    ['', 'Germany', wrong('Email is required'), fine, 'email'],
    ['ann@example.com', '', fine, wrong('Country is required'), 'country'],
  ])('"%s" of "%s": errors are shown beside their fields, and the first one gets the focus', async (...given) => {
    const [address, where, ofEmail, ofCountry, focused] = given
    fill(address, where)
    await submit()
    expect([errors(), document.activeElement!.id]).toEqual([[ofEmail, ofCountry], focused])
    expect([network.sent, isBusy()]).toEqual([[], [false, false]])
  })

  test.each([
    ['ann', wrong('Enter a valid email address')],
    ['ann@example.com', fine],
    ['', fine],
  ])('an email left as "%s" is checked at once, unless it is empty', (address, expected) => {
    fireEvent.input(email(), { target: { value: address } })
    expect(errors()).toEqual([fine, fine])
    fireEvent.blur(email())
    expect(errors()).toEqual([expected, fine])
  })

  test('a field that is emptied and left keeps its error', async () => {
    await submit()
    fireEvent.blur(email())
    fireEvent.blur(country())
    expect(errors()).toEqual([wrong('Email is required'), wrong('Country is required')])
  })

  test('a corrected field loses its error at once, and the others keep theirs', async () => {
    await submit()
    fireEvent.input(email(), { target: { value: 'ann' } })
    expect(errors()).toEqual([wrong('Enter a valid email address'), wrong('Country is required')])
    fireEvent.input(email(), { target: { value: 'ann@example.com' } })
    expect(errors()).toEqual([fine, wrong('Country is required')])
    fireEvent.input(country(), { target: { value: 'Germany' } })
    expect(errors()).toEqual([fine, fine])
  })
})

describe('the request', () => {
  test.each(['developer', 'tester'])('has the email, country and role of a %s, and no user', async role => {
    session.signIn({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
      user: { id: 'u1', email: 'uma@example.com', name: 'Uma', role: 'ADMIN' },
    })
    fill('ann@example.com', 'Germany')
    theOne<HTMLInputElement>(`[name=role][value=${role}]`).click()
    const left = vi.fn<(event: Event) => void>()
    form().addEventListener('submit', left)
    await submit()
    expect(left.mock.lastCall![0].defaultPrevented).toBe(true)
    const body = { email: 'ann@example.com', country: 'Germany', role }
    expect(network.sent).toMatchObject([{ method: 'POST', path: '/waitlist', token: null, body }])
  })

  test('shows as loading for a full second, even if the answer comes sooner, and is not sent twice', async () => {
    fill('ann@example.com', 'Germany')
    await submit()
    await submit()
    await pass(999)
    expect([isBusy(), toasts(), email().value, network.sent.length]).toEqual([[true, true], [], 'ann@example.com', 1])
    await pass(1)
    expect(isBusy()).toEqual([false, false])
    expect(toasts()).toEqual(['Welcome to FieldtestWe will be in touch soon.'])
    expect([email().value, country().value]).toEqual(['', ''])
    fill('bob@example.com', 'France')
    await submit()
    expect(network.sent[1]).toMatchObject({ body: { email: 'bob@example.com' } })
  })

  test('shows as loading until a slow answer arrives', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    network.answer = () => promise
    fill('ann@example.com', 'Germany')
    await submit()
    await pass(5000)
    expect([isBusy(), toasts()]).toEqual([[true, true], []])
    resolve(Response.json({}, { status: 201 }))
    await pass(0)
    expect([isBusy()[0], toasts().length]).toEqual([false, 1])
  })
})

describe('a refusal', () => {
  const sendIt = async () => {
    fill('ann@example.com', 'Germany')
    await submit()
    await pass(1000)
  }
  const refusal = (status: number, body: object) => () => Response.json(body, { status })

  test.each([
    [{ email: 'This one cannot get email' }, [wrong('This one cannot get email'), fine], 'email'],
    [{ country: 'No such country' }, [fine, wrong('No such country')], 'country'],
  ])('about a field is shown beside it, and the field gets the focus: %o', async (fields, expected, focused) => {
    network.answer = refusal(400, { message: 'Something is wrong', fields })
    await sendIt()
    expect([errors(), failure(), document.activeElement!.id]).toEqual([expected, '', focused])
    expect([isBusy(), toasts(), email().value]).toEqual([[false, false], [], 'ann@example.com'])
  })

  test.each([
    ['the server’s words', refusal(429, { message: 'Too many at once.' }), 'Too many at once.'],
    ['what is wrong with no field of the form', refusal(400, { message: 'No.', fields: { age: 'Old' } }), 'No.'],
    [
      'that the server cannot be reached',
      () => Promise.reject(new TypeError('offline')),
      'Network error. Check your connection and try again.',
    ],
  ])('shows %s above the button', async (_, refused, words) => {
    network.answer = refused
    await sendIt()
    expect([failure(), errors(), isBusy(), toasts()]).toEqual([words, [fine, fine], [false, false], []])
  })

  test('is also shown when the page itself fails', async () => {
    vi.spyOn(form(), 'reset').mockImplementation(() => {
      throw new Error('broken')
    })
    await sendIt()
    expect([failure(), isBusy()]).toEqual(['Something went wrong. Try again.', [false, false]])
  })

  test('disappears on the next try', async () => {
    network.answer = refusal(429, { message: 'Too many at once.' })
    await sendIt()
    network.answer = () => Response.json({}, { status: 201 })
    await submit()
    expect(failure()).toBe('')
    await pass(1000)
    expect([failure(), toasts().length, network.sent.length]).toEqual(['', 1, 2])
  })
})
