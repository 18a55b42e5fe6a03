import { afterEach, expect, test, vi } from 'vitest'
import { ownTimeZone } from './clock.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['+03:00', null],
  ['Etc/Unknown', null],
  [undefined, null],
])('for a browser that reports the zone %s it is %s', (timeZone, own) => {
  const options = new Intl.DateTimeFormat().resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValueOnce({ ...options, timeZone: timeZone! })
  expect(ownTimeZone()).toBe(own)
})
