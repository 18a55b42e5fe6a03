import { afterEach, expect, test, vi } from 'vitest'
import { goToCheckout, paidAtProvider } from './checkout.ts'

afterEach(() => {
  delete document.documentElement.dataset['checkout']
  vi.unstubAllGlobals()
})

test.each([
  ['provider', true],
  ['method', false],
  [undefined, false],
])('of a page that says %o one pays at the provider: %s', (said, expected) => {
  if (said !== undefined) document.documentElement.dataset['checkout'] = said
  expect(paidAtProvider()).toBe(expected)
})

test('the browser leaves for the provider’s page, and stays where the address is another', () => {
  const assign = vi.fn<(to: string) => void>()
  vi.stubGlobal('location', { hostname: 'fieldtest.test', assign })
  goToCheckout('https://checkout.stripe.com/c/pay/cs_1')
  expect(assign.mock.calls).toEqual([['https://checkout.stripe.com/c/pay/cs_1']])
  expect(() => goToCheckout('https://evil.example/c/pay/cs_1')).toThrow('not the payment provider’s')
  expect(assign).toHaveBeenCalledOnce()
})
