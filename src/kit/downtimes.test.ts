import { expect, test } from 'vitest'
import { hoursAfter } from './clock.ts'
import { hoursAfterDowntimes } from './downtimes.ts'

const since = '2026-03-01T00:00:00.000Z'
const at = (hours: number) => hoursAfter(since, hours)
const down = (from: number, to: number) => ({ from: at(from), to: at(to) })

test.each([
  ['without any', [], 72],
  ['before it began', [down(-10, -5)], 72],
  ['while it began', [down(-10, 5)], 77],
  ['in between', [down(10, 15)], 77],
  ['twice', [down(10, 15), down(20, 21)], 78],
  ['that begins when it has passed', [down(72, 100)], 72],
  ['that begins just before', [down(71, 100)], 101],
  ['that begins later', [down(80, 100)], 72],
  ['reached only because of one before', [down(10, 20), down(80, 90)], 92],
  ['one within the other, counted once', [down(10, 40), down(15, 20)], 102],
  ['that overlap, counted once', [down(10, 20), down(15, 30)], 92],
  ['in whatever order', [down(20, 21), down(10, 15)], 78],
] as const)('72 hours, with downtimes %s', (_, downtimes, hours) => {
  expect(hoursAfterDowntimes(since, 72, downtimes)).toBe(at(hours))
})
