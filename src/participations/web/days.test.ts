import { describe, expect, test } from 'vitest'
import { daysCheckedIn, fullDays, stripOf, stripWords, type Tested, withAllDays } from './days.ts'

const checkIns = (...days: string[]) =>
  days.map(day => ({
    day,
    at: `${day}T12:00:00.000Z`,
    note: null,
    minutes: null,
    features: [],
    attachment: null,
    code: null,
  }))

const tested = {
  begunAt: '2026-11-21T23:30:00.000Z' as string | null,
  closedAt: null as string | null,
  timeZone: 'Europe/Berlin',
  checkIns: checkIns('2026-11-22', '2026-11-24'),
  proof: null as { submittedAt: string } | null,
  runs: [] as { startedAt: string; endedAt: string | null }[],
  campaign: { durationDays: 5, dailyCheckIn: true, accessMode: 'OPEN_LINK' as const },
}

const wordsOf = (one: Tested, now: string) => stripWords(stripOf(one, now), daysCheckedIn(one).size)

test('days are counted from the joining day in the tester’s time zone', () => {
  const strip = stripOf(tested, '2026-11-25T08:00:00.000Z')
  expect(strip.map(({ day, mark }) => [day, mark])).toEqual([
    ['2026-11-22', 'DONE'],
    ['2026-11-23', 'MISSED'],
    ['2026-11-24', 'DONE'],
    ['2026-11-25', 'TODAY'],
    ['2026-11-26', 'AHEAD'],
  ])
  expect(strip.map(({ isToday }) => isToday)).toEqual([false, false, false, true, false])
})

test('days after a test was closed are not missed', () => {
  const strip = stripOf({ ...tested, closedAt: '2026-11-24T20:00:00.000Z' }, '2026-12-24T08:00:00.000Z')
  expect(strip.map(({ mark }) => mark)).toEqual(['DONE', 'MISSED', 'DONE', 'AHEAD', 'AHEAD'])
})

test('the strip has a text for screen readers', () => {
  const words = wordsOf(tested, '2026-11-25T08:00:00.000Z')
  expect(words.summary).toBe('2 of 5 days checked in')
  expect(words.detail).toBe('2 of 5 days checked in. Missed: Mon, Nov 23')
})

test('a check-in after the last day is none of the days, and stands beside them', () => {
  const late = { ...tested, checkIns: checkIns('2026-11-22', '2026-11-27') }
  expect(wordsOf(late, '2026-11-28T08:00:00.000Z').summary).toBe('1 of 5 days checked in, and 1 outside them')
})

test('a check-in of an opt-in that an admin decided never was does not make a day', () => {
  const listed = { ...tested.campaign, accessMode: 'EMAIL_LIST' as const }
  const voided = { startedAt: '2026-11-24T11:00:00.000Z', endedAt: '2026-11-24T13:00:00.000Z', voided: true }
  const again = { startedAt: '2026-11-24T14:00:00.000Z', endedAt: null }
  const twice = {
    ...tested,
    begunAt: null,
    campaign: listed,
    checkIns: checkIns('2026-11-24').map(each => ({ ...each, voided: true })),
    runs: [voided, again],
  }
  expect(stripOf(twice, '2026-11-24T15:00:00.000Z').map(({ mark }) => mark)[0]).toBe('TODAY')
  expect(wordsOf(twice, '2026-11-25T15:00:00.000Z').summary).toBe('0 of 5 days checked in')
})

test('no day is missed where no daily check-in is required', () => {
  const easy = { ...tested, campaign: { ...tested.campaign, dailyCheckIn: false } }
  const words = wordsOf(easy, '2026-11-25T08:00:00.000Z')
  expect(words.detail).toBe('2 of 5 days checked in')
})

test('a test has all its days only with a check-in on each of them, where they are asked for', () => {
  const days = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']
  const holds = (done: string[], dailyCheckIn: boolean) =>
    withAllDays(
      { ...tested, checkIns: checkIns(...done), campaign: { ...tested.campaign, dailyCheckIn } },
      '2026-11-28T08:00:00.000Z',
    )
  expect(holds(days, true)).toBe(true)
  expect([holds(days.slice(1), true), holds([], true), holds(days, false)]).toEqual([false, false, false])
})

test('no day counts before the NDA is accepted, and none is missed before it', () => {
  const now = '2026-11-25T08:00:00.000Z'
  expect(stripOf({ ...tested, checkIns: [], begunAt: null }, now).every(({ mark }) => mark === 'AHEAD')).toBe(true)
  const accepted = { ...tested, checkIns: [], begunAt: '2026-11-23T10:00:00.000Z' }
  expect(
    stripOf(accepted, now)
      .map(({ day, mark }) => `${day.slice(8)} ${mark}`)
      .slice(0, 2),
  ).toEqual(['24 MISSED', '25 TODAY'])
})

const evening = { ...tested, timeZone: 'UTC', begunAt: '2026-11-21T20:00:00.000Z' }

test('a tester who joins in the evening has not missed a day, and has all of them ahead', () => {
  const marks = (days: string[], now: string) =>
    stripOf({ ...evening, checkIns: checkIns(...days) }, now).map(({ day, mark }) => `${day.slice(8)} ${mark}`)
  expect(marks([], '2026-11-21T23:00:00.000Z')).toEqual(['21 TODAY', '22 AHEAD', '23 AHEAD', '24 AHEAD', '25 AHEAD'])
  expect(marks([], '2026-11-22T08:00:00.000Z')).toEqual(['22 TODAY', '23 AHEAD', '24 AHEAD', '25 AHEAD', '26 AHEAD'])
  expect(marks(['2026-11-21'], '2026-11-23T08:00:00.000Z')).toEqual([
    '21 DONE',
    '22 MISSED',
    '23 TODAY',
    '24 AHEAD',
    '25 AHEAD',
  ])
})

describe('with a tester list', () => {
  const at = (day: number) => `2026-11-${day}T10:00:00.000Z`
  const run = (from: number, to: number | null = null) => ({
    startedAt: at(from),
    endedAt: to === null ? null : at(to),
  })
  const listed = { ...evening, campaign: { ...tested.campaign, accessMode: 'EMAIL_LIST' as const } }
  const days = (more: Partial<typeof listed> & { runs: ReturnType<typeof run>[] }, now: string) =>
    stripOf({ ...listed, checkIns: checkIns('2026-11-22', '2026-11-23', '2026-11-25'), ...more }, now)
  const marksOf = (strip: ReturnType<typeof days>) => strip.map(({ day, mark }) => `${day.slice(8)} ${mark}`)

  test('no day counts before the opt-in, and none while the tester is out', () => {
    for (const runs of [[], [run(22, 24)]]) {
      const strip = days({ runs }, at(24))
      expect(strip.every(({ mark, isToday }) => mark === 'AHEAD' && !isToday)).toBe(true)
      expect(stripWords(strip, 3).summary).toBe('0 of 5 days checked in, and 3 outside them')
    }
  })

  test('a return begins at day 1', () => {
    expect(marksOf(days({ runs: [run(22, 24), run(25)] }, at(27)))).toEqual([
      '25 DONE',
      '26 MISSED',
      '27 TODAY',
      '28 AHEAD',
      '29 AHEAD',
    ])
  })

  test('an opt-in at the very moment of the end begins the days', () => {
    expect(days({ runs: [run(25)], closedAt: at(25) }, at(29)).map(({ day }) => day)[0]).toBe('2026-11-25')
  })

  test('an opt-in after the proof leaves the days as they were', () => {
    const proven = { proof: { submittedAt: at(26) }, runs: [run(22, 27), run(28)] }
    const strip = days(proven, '2026-11-29T10:00:00.000Z')
    expect(marksOf(strip)).toEqual(['22 DONE', '23 DONE', '24 MISSED', '25 DONE', '26 AHEAD'])
  })
})

test.each([
  ['2026-11-18T20:00:00.000Z', '0 full days'],
  ['2026-11-19T19:59:59.000Z', '0 full days'],
  ['2026-11-19T20:00:00.000Z', '1 full day'],
  ['2026-11-27T08:00:00.000Z', '8 full days'],
  // The reader's clock may be a little slow.
  ['2026-11-18T19:59:59.000Z', '0 full days'],
])('a run from 18 November, 8 PM, has lasted at %s for %s', (now, words) => {
  expect(fullDays('2026-11-18T20:00:00.000Z', now)).toBe(words)
})
