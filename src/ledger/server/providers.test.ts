import { expect, test } from 'vitest'
import { currentProvider, providerOf } from './providers.ts'
import { sandbox } from './sandbox.ts'

test('without Stripe’s keys the sandbox is used, and nobody is asked about what went to Stripe', () => {
  expect(currentProvider()).toBe(sandbox)
  expect(providerOf('sandbox')).toBe(sandbox)
  for (const name of ['stripe', 'another', ''])
    expect(() => providerOf(name)).toThrow(`The payment provider ${name} is not set up.`)
})
