import { expect, onTestFinished, test, vi } from 'vitest'
import { goToCheckout, isCheckoutUrl } from './checkout.ts'

test('the browser leaves for Stripe’s page to pay, and for no other', () => {
  expect(isCheckoutUrl('https://checkout.stripe.com/c/pay/cs_1', 'fieldtest.example')).toBe(true)
  const wrong = [
    'https://checkout.stripe.com.evil.example/c/pay/cs_1',
    'https://user@evil.example/checkout.stripe.com',
    'http://checkout.stripe.com/c/pay/cs_1',
    'javascript:alert(1)',
    'http://127.0.0.1:4000/c/pay/cs_1',
    'nonsense',
  ]
  expect(wrong.filter(address => isCheckoutUrl(address, 'fieldtest.example'))).toEqual([])
})

test('on a developer’s own machine it may be a page of that machine', () => {
  expect(isCheckoutUrl('http://127.0.0.1:4000/c/pay/cs_1', 'localhost')).toBe(true)
  expect(isCheckoutUrl('javascript:alert(1)', 'localhost')).toBe(false)
})

test('the browser leaves for the provider’s page, and stays where the address is another', () => {
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const assign = vi.fn<(to: string) => void>()
  vi.stubGlobal('location', { hostname: 'fieldtest.test', assign })
  goToCheckout('https://checkout.stripe.com/c/pay/cs_1')
  expect(assign.mock.calls).toEqual([['https://checkout.stripe.com/c/pay/cs_1']])
  expect(() => goToCheckout('https://evil.example/c/pay/cs_1')).toThrow('not the payment provider’s')
  expect(assign).toHaveBeenCalledOnce()
})
