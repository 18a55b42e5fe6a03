/** The address at which we call Stripe, and the pages to which browsers may be sent to pay. */
import { expect, test } from 'vitest'
import { addressOf, isCheckoutAddress } from './client.ts'

test.each([
  ['https://api.stripe.example', { host: 'api.stripe.example', protocol: 'https', port: 443 }],
  ['https://api.stripe.example:8443/', { host: 'api.stripe.example', protocol: 'https', port: 8443 }],
  ['http://127.0.0.1:4010', { host: '127.0.0.1', protocol: 'http', port: 4010 }],
  ['http://localhost', { host: 'localhost', protocol: 'http', port: 80 }],
])('%s is where Stripe is asked', (base, address) => expect(addressOf(base)).toEqual(address))

test.each([
  ['https://checkout.stripe.com/c/pay/cs_1', undefined, true],
  ['https://checkout.stripe.com.example/c/pay/cs_1', undefined, false],
  ['http://checkout.stripe.com/c/pay/cs_1', undefined, false],
  ['http://127.0.0.1:4010/c/pay/cs_1', undefined, false],
  ['http://127.0.0.1:4010/c/pay/cs_1', 'http://127.0.0.1:4010', true],
  ['http://127.0.0.1:4011/c/pay/cs_1', 'http://127.0.0.1:4010', false],
  ['javascript:alert(1)', 'http://127.0.0.1:4010', false],
  ['not an address', undefined, false],
])('browsers are sent to %s, with Stripe at %s: %s', (address, apiBase, expected) =>
  expect(isCheckoutAddress(address, { apiBase })).toBe(expected),
)
