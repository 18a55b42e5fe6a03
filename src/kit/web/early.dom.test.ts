import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeEarly } from './early.ts'

const address = '/api/v1/users/me'
const response = Promise.resolve(new Response('{}'))

beforeEach(() => {
  window.earlyRequests = new Map([[address, { token: 'access', response }]])
})
afterEach(() => {
  delete window.earlyRequests
  delete window.askedWith
  vi.restoreAllMocks()
})

const atMs = (ms: number) => vi.spyOn(performance, 'now').mockReturnValue(ms)

test('an early request is used once', () => {
  atMs(9_999)
  expect(takeEarly('GET', address, 'access')).toBe(response)
  expect(takeEarly('GET', address, 'access')).toBeUndefined()
})

test.each([
  ['another address', () => takeEarly('GET', `${address}/papers`, 'access')],
  ['a change', () => takeEarly('PUT', address, 'access')],
  ['a call of the same name that changes something', () => takeEarly('POST', address, 'access')],
])('%s does not use it', (_, take) => {
  atMs(100)
  expect(take()).toBeUndefined()
  expect(takeEarly('GET', address, 'access')).toBe(response)
})

test.each([
  ['of another session', 100, 'other'],
  ['of nobody', 100, null],
  ['of a later screen', 10_000, 'access'],
])('a request %s is sent normally, and so are all after it', (_, ms, token) => {
  atMs(ms)
  expect(takeEarly('GET', address, token)).toBeUndefined()
  atMs(100)
  expect(takeEarly('GET', address, 'access')).toBeUndefined()
})

test('with which token the app has sent a request itself is known', () => {
  expect(takeEarly('GET', address, 'access')).toBe(response)
  expect(takeEarly('POST', '/api/v1/auth/refresh', null)).toBeUndefined()
  expect(window.askedWith).toBeUndefined()
  expect(takeEarly('GET', address, 'access')).toBeUndefined()
  expect(window.askedWith).toBe('access')
})

test('without early requests, nothing is used', () => {
  delete window.earlyRequests
  expect(takeEarly('GET', address, 'access')).toBeUndefined()
})
