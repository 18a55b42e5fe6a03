/** A timestamp arrives as the right instant, however PostgreSQL prints it. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { sql, transact } from './db.ts'
import { asInstant } from './instants.ts'

testApp()

let state = 7
const below = (limit: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

const firstMs = Date.parse('0001-01-01T00:00:00Z')
const lastMs = Date.parse('9999-12-31T23:59:59Z')
const randomMs = () => Math.floor(firstMs + (below(2 ** 32) / 2 ** 32) * (lastMs - firstMs)) + below(1000)

test('it is the same as a Date’s, to the millisecond', () => {
  const wrong: string[] = []
  for (let round = 0; round < 20_000; round++) {
    const iso = new Date(randomMs()).toISOString()
    const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)]
    // PostgreSQL prints up to six digits, without trailing zeros.
    const digits = `${iso.slice(20, 23)}${String(below(1000)).padStart(3, '0')}`.replace(/0+$/, '')
    const fraction = digits === '' ? '' : `.${digits}`
    const asDate = new Date(`${day}T${time}${fraction}Z`).toISOString()
    if (asInstant(`${day} ${time}${fraction}+00`) !== iso || asDate !== iso) wrong.push(iso)
  }
  expect(wrong).toEqual([])
})

test.each([
  ['2026-11-21 06:16:59+00', '2026-11-21T06:16:59.000Z'],
  ['2026-11-21 06:16:59.1+00', '2026-11-21T06:16:59.100Z'],
  ['2026-11-21 06:16:59.12+00', '2026-11-21T06:16:59.120Z'],
  ['2026-11-21 06:16:59.1234+00', '2026-11-21T06:16:59.123Z'],
  // Cut off, never rounded up into the next second.
  ['2026-11-21 06:16:59.999999+00', '2026-11-21T06:16:59.999Z'],
  ['2026-11-21 06:16:59.000001+00', '2026-11-21T06:16:59.000Z'],
  ['0044-03-15 12:00:00+00', '0044-03-15T12:00:00.000Z'],
  ['2026-11-21 07:16:59.5+01', '2026-11-21T06:16:59.500Z'],
  ['2026-11-21 00:46:59.25-05:30', '2026-11-21T06:16:59.250Z'],
  ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
])('%s is %s', (text, instant) => {
  expect(asInstant(text)).toBe(instant)
})

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 00:00:00+00 BC',
  '1847-01-01 00:00:00-00:01:15',
  '2026-13-45 06:16:59+01',
  '21.11.2026 06:16:59 UTC',
  'Sat Nov 21 06:16:59 2026 UTC',
  '',
])('%s is refused rather than misread', text => {
  expect(() => asInstant(text)).toThrow(RangeError)
})

const printed = (zone: string, written: readonly string[]) =>
  transact(async tx => {
    await tx.run(sql`select set_config('TimeZone', ${zone}, true)`)
    return (await tx.rows<{ at: string }>(sql`select unnest(${written}::timestamptz[]) as at`)).map(({ at }) => at)
  })

test('it arrives from PostgreSQL as it was written, whatever time zone PostgreSQL prints', async () => {
  const written = ['2026-11-21T06:16:59.123Z', '2026-11-21T06:16:00.000Z', '2026-07-01T23:59:59.010Z']
  for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata']) {
    expect([zone, await printed(zone, written)]).toEqual([zone, written])
  }
  const ends = ['0001-01-01T00:00:00.010Z', '9999-12-31T23:59:59.999Z']
  expect(await printed('UTC', ends)).toEqual(ends)
  await expect(printed('UTC', ['infinity'])).rejects.toThrow(RangeError)
})
