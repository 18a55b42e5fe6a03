import { afterEach, expect, test } from 'vitest'
import { paidAtProvider } from './paidAtProvider.ts'

afterEach(() => {
  delete document.documentElement.dataset['checkout']
})

test.each([
  ['provider', true],
  ['method', false],
  [undefined, false],
])('on a page that says %o, one pays at the provider: %s', (said, expected) => {
  if (said !== undefined) document.documentElement.dataset['checkout'] = said
  expect(paidAtProvider()).toBe(expected)
})
