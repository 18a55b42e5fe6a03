import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { refuseLocalStorage, stubLocalStorage } from '../../testing/localStorage.ts'
import { forget, keep, unsentOf, type Verification } from './unsent.ts'

let storage = stubLocalStorage()
beforeEach(() => {
  storage = stubLocalStorage()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const first: Verification = {
  key: 'k1',
  reviewerId: 'ann',
  campaignId: 'c1',
  ids: ['t1', 't2'],
  aliases: ['Tester 1', 'Tester 2'],
  proofsSubmittedAt: ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'],
  decidedAt: 1_790_000_000_000,
  left: true,
}
const second: Verification = { ...first, key: 'k2', ids: ['t3'], aliases: ['Tester 3'], left: false }

test('what was not sent is found again as it was, and nobody else’s', () => {
  for (const one of [first, { ...first, key: 'k3', reviewerId: 'bob' }, second]) keep(one)
  expect(unsentOf('ann')).toEqual([first, second])
  expect(unsentOf('bob')).toMatchObject([{ key: 'k3' }])
  expect(unsentOf('eve')).toEqual([])
  expect(unsentOf(undefined)).toEqual([])
})

test('what has been sent is not found again, and the others are', () => {
  keep(first)
  keep(second)
  forget(first)
  expect(unsentOf('ann')).toEqual([second])
})

test.each([
  ['what cannot be read', 'verifying:k9', '{"key":"k9","revie'],
  ['what names no test', 'verifying:k9', JSON.stringify({ ...first, ids: [] })],
  ['what has no key to be sent under', 'verifying:k9', JSON.stringify({ ...first, key: '' })],
  ['what another part of the page keeps', 'k9', JSON.stringify(first)],
])('%s is left out, and the rest is found', (_, name, text) => {
  storage[name] = text
  keep(second)
  expect(unsentOf('ann')).toEqual([second])
})

test('where nothing can be stored the review goes on without it', () => {
  refuseLocalStorage()
  keep(first)
  forget(first)
  expect(unsentOf('ann')).toEqual([])
})
