import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test.each([
  ['127.0.0.1', 'http://localhost:3000'],
  ['::1', 'http://localhost:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['0:0:0:0:0:0:0:0', 'http://localhost:3000'],
  ['192.168.0.10', 'http://192.168.0.10:3000'],
  ['fd00::10', 'http://[fd00::10]:3000'],
  ['fieldtest.local', 'http://fieldtest.local:3000'],
])('a server that listens on %s has an address that browsers can open', (HOST, address) => {
  expect(addressOf({ HOST, PUBLIC_URL: undefined }, 3000)).toBe(address)
  expect(new URL(address).port).toBe('3000')
})

test('the public address takes precedence over the one it listens on', () => {
  expect(addressOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://fieldtest.example' }, 3000)).toBe(
    'https://fieldtest.example',
  )
})
