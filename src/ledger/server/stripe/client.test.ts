import { expect, test } from 'vitest'
import { addressOf } from './client.ts'

test.each([
  ['https://api.stripe.example', { host: 'api.stripe.example', protocol: 'https', port: 443 }],
  ['https://api.stripe.example:8443/', { host: 'api.stripe.example', protocol: 'https', port: 8443 }],
  ['http://127.0.0.1:4010', { host: '127.0.0.1', protocol: 'http', port: 4010 }],
  ['http://localhost', { host: 'localhost', protocol: 'http', port: 80 }],
])('%s is where Stripe is asked', (base, address) => expect(addressOf(base)).toEqual(address))
