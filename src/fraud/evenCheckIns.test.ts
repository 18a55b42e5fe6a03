import { describe, expect, test } from 'vitest'
import { evenCheckIns, fewestEven } from './evenCheckIns.ts'
import { detailsOf, evidenceOf } from './words.ts'

const start = Date.parse('2026-11-01T08:00:00.000Z')
const day = 24 * 3600

/** Check-ins after these numbers of seconds. */
const checkedInAfter = (...seconds: number[]) =>
  seconds.map(after => ({
    participationId: 'participation',
    testerId: 'tester',
    campaignId: 'campaign',
    campaignTitle: 'Notes',
    at: new Date(start + after * 1000).toISOString(),
  }))

const daily = (count: number, late: (place: number) => number = () => 0) =>
  checkedInAfter(...Array.from({ length: count }, (_, place) => place * day + late(place)))

/** Alternates early and late, so that the intervals differ by four times as much. */
const swinging = (seconds: number) => (place: number) => (place % 2 ? seconds : -seconds)

describe('check-ins count as a machine’s', () => {
  test('from ten in a row on', () => {
    expect(evenCheckIns(daily(fewestEven - 1))).toBeUndefined()
    expect(evenCheckIns(daily(fewestEven))).toMatchObject({ userId: 'tester', severity: 'MEDIUM', parts: ['10'] })
  })

  test('when their intervals differ by five seconds at most', () => {
    expect(evenCheckIns(daily(12, swinging(1.25)))?.facts).toMatchObject({ checkIns: 12, spreadMs: 5000 })
    expect(evenCheckIns(daily(12, swinging(1.26)))).toBeUndefined()
  })

  test('with a higher grade, and are reported again, if a whole closed test was even', () => {
    expect(evenCheckIns(daily(13))).toMatchObject({ severity: 'MEDIUM', parts: ['10'] })
    expect(evenCheckIns(daily(14))).toMatchObject({ severity: 'HIGH', parts: ['10', '14'] })
  })

  test('even if a timer drifts, misses days and follows a changed clock', () => {
    const drifting = daily(12, place => place * 200)
    expect(evenCheckIns(drifting)?.facts).toMatchObject({ checkIns: 12, spreadMs: 0 })
    const days = [0, 1, 2, 5, 6, 7, 8, 9, 12, 13]
    const missed = checkedInAfter(...days.map(each => each * day - (each > 6 ? 3600 : 0)))
    expect(evenCheckIns(missed)?.facts).toMatchObject({ checkIns: 10 })
  })

  test('even if a person checked in before and after the even run', () => {
    const people = (place: number) => (place < 3 || place > 13 ? ((place * 7919) % 1800) - 900 : 0)
    const finding = evenCheckIns(daily(17, people))
    expect(finding?.facts).toMatchObject({ checkIns: 11 })
  })
})

describe('nobody is taken for a machine', () => {
  test('who checks in every morning at about the same time', () => {
    // Like with an alarm: within 15 seconds of eight o’clock, for 50 days.
    const alarmed = daily(50, place => ((place * place * 7919 + place * 104_729) % 30_011) / 1000 - 15)
    expect(evenCheckIns(alarmed)).toBeUndefined()
  })

  test('who never checked in, or once', () => {
    expect(evenCheckIns([])).toBeUndefined()
    expect(evenCheckIns(daily(1))).toBeUndefined()
  })
})

test('the report shows the first and the newest check-ins with their intervals', () => {
  const finding = evenCheckIns(daily(16, place => (place === 15 ? 1.25 : 0)))!
  expect(detailsOf(finding)).toBe(
    'The intervals between 16 check-ins in a row to “Notes” differ by less than 2 seconds. Whole hours were ignored.',
  )
  const evidence = evidenceOf(finding)
  expect(evidence.slice(0, 3)).toEqual([
    { label: 'Tested', value: 'Notes', campaignId: 'campaign' },
    { label: 'Checked in', value: 'First of them', at: '2026-11-01T08:00:00.000Z' },
    { label: 'In between', value: '4 more check-ins' },
  ])
  expect(evidence.at(-1)).toEqual({
    label: 'Checked in',
    value: '24 h 0 min 1.250 s after the one before',
    at: '2026-11-16T08:00:01.250Z',
  })
  expect(detailsOf(evenCheckIns(daily(10))!)).toContain('differ by less than 1 second.')
})
