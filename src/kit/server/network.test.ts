import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { addressOf, networkOf } from './network.ts'

const from = (ip: string, remoteAddress = '10.0.0.1') =>
  addressOf({ ip, socket: { remoteAddress } as FastifyRequest['socket'] })

describe('a caller’s address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s is %s', (written, address) => {
    expect(from(written)).toBe(address)
  })

  test.each(['', 'unknown', '_hidden', '999.1.1.1', "' or 1=1", 'x'.repeat(6000), '2001:db8::1::2', '\0'])(
    'that is not an address (%j) is replaced by the connection’s own',
    written => {
      expect(from(written)).toBe('10.0.0.1')
      expect(from(written, '::ffff:10.0.0.2')).toBe('10.0.0.2')
    },
  )
})

describe('limits count as one caller', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:5::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('%s: %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
