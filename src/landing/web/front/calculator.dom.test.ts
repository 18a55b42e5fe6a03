import { createEvent, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '../../../kit/web/session.ts'
import { showLandingPage, stubSight, theOne } from '../../../testing/web/landingPage.ts'
import { stubNetwork } from '../../../testing/network.ts'
import { enhanceCalculator } from './calculator.ts'

let sight: ReturnType<typeof stubSight>
let network: ReturnType<typeof stubNetwork>

const form = () => theOne<HTMLFormElement>('#calculator')
const field = (name: string) => theOne<HTMLInputElement>(`[name=${name}]`, form())
const type = (name: string, value: string) => fireEvent.input(field(name), { target: { value } })
const amounts = () => [...form().querySelectorAll('[data-amount]')].map(({ textContent }) => textContent)
const feeLabel = () => theOne('[data-label=fee]').textContent
const hintWarns = () => theOne('[data-limits]').classList.contains('text-destructive')

const first = ['$120.00', '$18.00', '$138.00']

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  network.answer = () => Response.json({ feeBasisPoints: 1250 })
  sight = stubSight()
  localStorage.clear()
  showLandingPage()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('the fields can be changed once the page can calculate, and not before', () => {
  const isFixed = () => [field('testers').readOnly, field('pay').readOnly]
  expect(isFixed()).toEqual([true, true])
  enhanceCalculator(form())
  expect([isFixed(), amounts()]).toEqual([[false, false], first])
})

test('the price follows the typed values', () => {
  enhanceCalculator(form())
  type('testers', '20')
  expect(amounts()).toEqual(['$200.00', '$30.00', '$230.00'])
  type('pay', '12.50')
  expect([amounts(), feeLabel()]).toEqual([['$250.00', '$37.50', '$287.50'], 'Platform fee (15%)'])
})

test('impossible values show no price, and highlight the limits until they are corrected', () => {
  enhanceCalculator(form())
  type('testers', '101')
  expect([amounts(), hintWarns(), feeLabel()]).toEqual([['–', '–', '–'], true, 'Platform fee (15%)'])
  type('testers', '12')
  expect([amounts(), hintWarns()]).toEqual([first, false])
})

test('Enter in a field does not leave the page', () => {
  enhanceCalculator(form())
  const entered = createEvent.submit(form())
  fireEvent(form(), entered)
  expect(entered.defaultPrevented).toBe(true)
})

test('the current fee is requested once, without a user, when the calculator scrolls into view', async () => {
  session.signIn({
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    user: { id: 'u1', email: 'uma@example.com', name: 'Uma', role: 'ADMIN' },
  })
  enhanceCalculator(form())
  sight.report(form(), false)
  expect(network.sent).toEqual([])
  sight.report(form(), false, true)
  sight.report(form(), true)
  await vi.waitFor(() => expect(amounts()).toEqual(['$120.00', '$15.00', '$135.00']))
  expect(feeLabel()).toBe('Platform fee (12.5%)')
  expect(network.sent).toMatchObject([{ method: 'GET', path: '/pricing', token: null }])
  type('testers', '10')
  expect(amounts()).toEqual(['$100.00', '$12.50', '$112.50'])
})

test('offline the usual fee stays', async () => {
  network.answer = () => Promise.reject(new TypeError('offline'))
  enhanceCalculator(form())
  sight.report(form(), true)
  await vi.waitFor(() => expect(network.sent).toHaveLength(1))
  type('testers', '10')
  expect([amounts(), feeLabel()]).toEqual([['$100.00', '$15.00', '$115.00'], 'Platform fee (15%)'])
})

test('the link to a new campaign carries what was typed, and nothing that the form would refuse', () => {
  const carried = () => new URL(theOne<HTMLAnchorElement>('a', form()).href).search
  expect(carried()).toBe('?role=developer&testers=12&payCents=1000')
  enhanceCalculator(form())
  type('testers', ' 20 ')
  type('pay', '$12.50')
  expect(carried()).toBe('?role=developer&testers=20&payCents=1250')
  type('testers', '101')
  // Empty figures also replace those of an earlier visit.
  expect(carried()).toBe('?role=developer&testers=&payCents=')
})
