import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  clock,
  dayAfter,
  dayIn,
  daysAfter,
  hoursAfter,
  hoursBetween,
  isTimeZone,
  monthsAfter,
  readerZone,
  setReaderZone,
  startOfHour,
  startOfQuarterHour,
} from './clock.ts'

afterEach(() => {
  clock.setOffsetMs(0)
  vi.restoreAllMocks()
})

describe('the calendar day at an instant', () => {
  test.each([
    // At one instant there are up to three calendar days on earth.
    ['2026-11-21T10:30:00.000Z', 'UTC', '2026-11-21'],
    ['2026-11-21T10:30:00.000Z', 'Pacific/Kiritimati', '2026-11-22'],
    ['2026-11-21T10:30:00.000Z', 'Pacific/Pago_Pago', '2026-11-20'],
    ['2026-11-21T10:30:00.000Z', 'Etc/GMT+12', '2026-11-20'],
    // Midnight, to the millisecond.
    ['2026-11-20T23:59:59.999Z', 'UTC', '2026-11-20'],
    ['2026-11-21T00:00:00.000Z', 'UTC', '2026-11-21'],
    ['2026-11-20T22:59:59.999Z', 'Europe/Berlin', '2026-11-20'],
    ['2026-11-20T23:00:00.000Z', 'Europe/Berlin', '2026-11-21'],
    // Zones that are not whole hours from UTC.
    ['2026-11-20T18:14:59.999Z', 'Asia/Kathmandu', '2026-11-20'],
    ['2026-11-20T18:15:00.000Z', 'Asia/Kathmandu', '2026-11-21'],
    ['2026-11-21T03:29:59.999Z', 'America/St_Johns', '2026-11-20'],
    ['2026-11-21T03:30:00.000Z', 'America/St_Johns', '2026-11-21'],
    // Summer time starts and ends; the day stays the zone's own.
    ['2026-03-28T22:59:59.999Z', 'Europe/Berlin', '2026-03-28'],
    ['2026-03-28T23:00:00.000Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-03-29T21:59:59.999Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-03-29T22:00:00.000Z', 'Europe/Berlin', '2026-03-30'],
    ['2026-10-25T22:59:59.999Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T23:00:00.000Z', 'Europe/Berlin', '2026-10-26'],
    // Summer time starts at midnight here: the day begins at 01:00.
    ['2026-04-23T21:59:59.999Z', 'Africa/Cairo', '2026-04-23'],
    ['2026-04-23T22:00:00.000Z', 'Africa/Cairo', '2026-04-24'],
    // The turn of the year, and a leap day.
    ['2026-12-31T23:30:00.000Z', 'Europe/Paris', '2027-01-01'],
    ['2028-02-29T12:00:00.000Z', 'UTC', '2028-02-29'],
    // A zone that skipped a whole day.
    ['2011-12-30T09:59:59.999Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00.000Z', 'Pacific/Apia', '2011-12-31'],
  ])('%s in %s is %s', (instant, zone, day) => {
    expect(dayIn(zone, instant)).toBe(day)
  })

  test('is written as ISO 8601 whatever the order in which the browser writes dates', () => {
    // WebKit with ICU 72 writes a day of Canada in the order of the United States.
    vi.spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get').mockReturnValue(() => '02/28/2026')
    expect(dayIn('America/Toronto', '2026-02-28T12:00:00.000Z')).toBe('2026-02-28')
  })

  test('is written as ISO 8601 in every zone, and no zone is more than a day away from UTC', () => {
    const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    fc.assert(
      fc.property(instants, zones, (date, zone) => {
        const utc = date.toISOString().slice(0, 10)
        expect([dayAfter(utc, -1), utc, dayAfter(utc, 1)]).toContain(dayIn(zone, date.toISOString()))
      }),
      { seed: 20_261_121, numRuns: 500 },
    )
  })
})

describe('days and hours', () => {
  test('an hour starts on its full minute and lasts until the next one starts', () => {
    expect(startOfHour('2026-11-21T06:00:00.000Z')).toBe('2026-11-21T06:00:00.000Z')
    expect(startOfHour('2026-11-21T06:59:59.999Z')).toBe('2026-11-21T06:00:00.000Z')
    expect(startOfHour('2026-11-21T07:00:00.000Z')).toBe('2026-11-21T07:00:00.000Z')
  })

  test('a day begins on a quarter hour, even in a zone whose offset has 45 minutes', () => {
    const begins = '2026-11-21T18:15:00.000Z'
    expect(startOfQuarterHour('2026-11-21T18:14:59.999Z')).toBe('2026-11-21T18:00:00.000Z')
    for (const at of [begins, '2026-11-21T18:29:59.999Z']) expect(startOfQuarterHour(at)).toBe(begins)
    expect([dayIn('Asia/Kathmandu', '2026-11-21T18:14:59.999Z'), dayIn('Asia/Kathmandu', begins)]).toEqual([
      '2026-11-21',
      '2026-11-22',
    ])
  })

  test('the day after crosses months, years and leap days, in both directions', () => {
    expect(dayAfter('2026-02-28', 1)).toBe('2026-03-01')
    expect(dayAfter('2028-02-28', 1)).toBe('2028-02-29')
    expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01')
    expect(dayAfter('2026-03-01', -1)).toBe('2026-02-28')
    expect(dayAfter('2026-03-28', 2)).toBe('2026-03-30')
  })

  test('months later or earlier means the same day and time, or the last day of a shorter month', () => {
    expect(monthsAfter('2026-03-31T10:00:00.000Z', -1)).toBe('2026-02-28T10:00:00.000Z')
    expect(monthsAfter('2028-01-31T10:00:00.000Z', 1)).toBe('2028-02-29T10:00:00.000Z')
    expect(monthsAfter('2026-01-15T00:00:00.000Z', -24)).toBe('2024-01-15T00:00:00.000Z')
    expect(monthsAfter('2026-11-30T23:59:59.999Z', 3)).toBe('2027-02-28T23:59:59.999Z')
  })

  test('a day of a deadline is 24 hours, regardless of daylight saving time', () => {
    expect(daysAfter('2026-03-28T12:00:00.000Z', 1)).toBe('2026-03-29T12:00:00.000Z')
    expect(hoursAfter('2026-03-28T12:00:00.000Z', 0.25)).toBe('2026-03-28T12:15:00.000Z')
    expect(hoursAfter('2026-03-28T12:00:00.000Z', -13)).toBe('2026-03-27T23:00:00.000Z')
  })

  test('the hours between two instants are the inverse of adding hours, sign included', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50_000, max: 50_000 }), hours => {
        const from = '2026-11-21T06:16:59.000Z'
        expect(hoursBetween(from, hoursAfter(from, hours))).toBe(hours)
      }),
      { seed: 20_261_121 },
    )
  })

  test('instants sort as text', () => {
    const base = '2026-11-21T06:16:59.000Z'
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }), (a, b) => {
        expect(hoursAfter(base, a) < hoursAfter(base, b)).toBe(a < b)
      }),
      { seed: 20_261_121 },
    )
  })
})

test('the clock can be set ahead and reports its offset', () => {
  const before = clock.nowMs()
  clock.setOffsetMs(48 * 3_600_000)
  expect(clock.offsetMs()).toBe(172_800_000)
  expect(hoursBetween(new Date(before).toISOString(), clock.now())).toBeGreaterThanOrEqual(48)
  expect(clock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('a time zone is a name that the platform knows', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires']) expect(isTimeZone(name)).toBe(true)
  for (const name of ['', 'Mars/Base', 'Europe', 'Berlin', '../etc/passwd', 'UTC\0', '+05:30', '-08:00', '+05'])
    expect(isTimeZone(name)).toBe(false)
})

describe('the reader’s zone', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    setReaderZone(undefined)
  })

  test.each([
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['Mars/Olympus', undefined],
    ['+05:30', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of a profile with %j is %j, however often it is asked for', (given, zone) => {
    setReaderZone(given)
    expect([readerZone(), readerZone()]).toEqual([zone, zone])
  })

  test('follows the profile, also when nobody asks in between', () => {
    setReaderZone('Asia/Tokyo')
    expect(readerZone()).toBe('Asia/Tokyo')
    setReaderZone('Europe/Berlin')
    setReaderZone('Mars/Olympus')
    expect(readerZone()).toBeUndefined()
  })

  test('takes none of the platform’s formats until it is asked for, since a session begins while the page starts', () => {
    const made = vi.spyOn(Intl, 'DateTimeFormat')
    setReaderZone('Asia/Tokyo')
    expect(made).not.toHaveBeenCalled()
  })
})
