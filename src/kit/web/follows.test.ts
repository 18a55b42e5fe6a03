import { expect, test } from 'vitest'
import { withFollowers } from './follows.ts'

const follows = { maps: ['parcels', 'couriers'], parcels: ['orders'], bells: ['doors'] }
const reached = (...changed: string[]) => [...withFollowers(new Set(changed), follows)]

test('what changes below is out of date in all that follows it, near or far, and in nothing else', () => {
  expect(reached('orders')).toEqual(['orders', 'parcels', 'maps'])
  expect(reached('couriers')).toEqual(['couriers', 'maps'])
  expect(reached('maps')).toEqual(['maps'])
})
