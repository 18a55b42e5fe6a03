import { expect, test } from 'vitest'
import { withFollowers } from './follows.ts'

const follows = { maps: ['parcels', 'couriers'], parcels: ['orders'], bells: ['doors'] }
const reached = (...changed: string[]) => [...withFollowers(new Set(changed), follows)]

test('a change invalidates every slice that follows it, directly or indirectly, and nothing else', () => {
  expect(reached('orders')).toEqual(['orders', 'parcels', 'maps'])
  expect(reached('couriers')).toEqual(['couriers', 'maps'])
  expect(reached('maps')).toEqual(['maps'])
})
