import { expect, test } from 'vitest'
import { stripOf, stripWords } from './days.ts'

const checkIns = (...days: string[]) => days.map(day => ({ day, at: `${day}T12:00:00.000Z`, note: null }))

const tested = {
  joinedAt: '2026-11-21T23:30:00.000Z',
  closedAt: null,
  timeZone: 'Europe/Berlin',
  checkIns: checkIns('2026-11-22', '2026-11-24'),
  campaign: { durationDays: 5, dailyCheckIn: true },
}

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
  const words = stripWords(stripOf(tested, '2026-11-25T08:00:00.000Z'))
  expect(words.summary).toBe('2 of 5 days checked in')
  expect(words.detail).toBe('2 of 5 days checked in. Missed: Mon, Nov 23')
})

test('a check-in after the last day is not counted', () => {
  const late = { ...tested, checkIns: checkIns('2026-11-22', '2026-11-27') }
  expect(stripWords(stripOf(late, '2026-11-28T08:00:00.000Z')).summary).toBe('1 of 5 days checked in')
})

test('no day is missed where no daily check-in is required', () => {
  const easy = { ...tested, campaign: { durationDays: 5, dailyCheckIn: false } }
  const words = stripWords(stripOf(easy, '2026-11-25T08:00:00.000Z'))
  expect(words.detail).toBe('2 of 5 days checked in')
})
