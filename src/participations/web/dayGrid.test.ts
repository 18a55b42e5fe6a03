import { expect, test } from 'vitest'
import { daysInRow, gridDays, gridRow, isOfTest, markWordsAt } from './dayGrid.ts'
import { doneOf, stripOf } from './days.ts'

type Tester = Parameters<typeof gridRow>[0]

const checkIn = (day: string, note: string | null = null) => ({
  day,
  at: `${day}T12:00:00.000Z`,
  note,
  minutes: null,
  features: [],
  attachment: null,
  code: null,
})

const active: Tester = {
  status: 'ACTIVE',
  joinedAt: '2026-11-03T10:00:00.000Z',
  begunAt: '2026-11-03T10:00:00.000Z',
  closedAt: null,
  timeZone: 'UTC',
  checkIns: [checkIn('2026-11-03', 'Fine'), checkIn('2026-11-05')],
  proof: null,
  runs: [],
  campaign: { durationDays: 14, dailyCheckIn: true, accessMode: 'OPEN_LINK' },
}
const campaign = { startDate: '2026-11-02T09:00:00.000Z', running: true }
const now = '2026-11-06T08:00:00.000Z'

const marks = (tester: Tester, days: string[]) => gridRow(tester, days, now).map(({ mark }) => mark)

test('the days go from the start of the campaign to today', () => {
  expect(gridDays([active], campaign, now)).toEqual([
    '2026-11-02',
    '2026-11-03',
    '2026-11-04',
    '2026-11-05',
    '2026-11-06',
  ])
})

test('each day of a tester is before joining, checked in, missed, or today', () => {
  const days = gridDays([active], campaign, now)
  expect(marks(active, days)).toEqual(['BEFORE', 'DONE', 'MISSED', 'DONE', 'TODAY'])
  expect(gridRow(active, days, now)[1]?.note).toBe('Fine')
  expect(marks({ ...active, campaign: { ...active.campaign, dailyCheckIn: false } }, days)[2]).toBe('SKIPPED')
})

test('a check-in of an opt-in that an admin decided never was is shown, and is none of the days that count', () => {
  const voided = { startedAt: '2026-11-05T09:00:00.000Z', endedAt: '2026-11-05T13:00:00.000Z', voided: true }
  const run = { startedAt: '2026-11-02T11:00:00.000Z', endedAt: null }
  const days = ['2026-11-03', '2026-11-04', '2026-11-05']
  const checkIns = active.checkIns.map(each => ({ ...each, voided: each.day === '2026-11-05' }))
  const listed = {
    ...active,
    checkIns,
    runs: [run, voided],
    campaign: { ...active.campaign, accessMode: 'EMAIL_LIST' as const },
  }
  expect(marks(listed, days)).toEqual(['DONE', 'MISSED', 'EXTRA'])
})

test('the day of leaving or of the proof, and the days after it, are not missed', () => {
  const days = gridDays([active], campaign, now)
  const gone = { ...active, status: 'DROPPED' as const, closedAt: '2026-11-04T20:00:00.000Z', checkIns: [] }
  expect(marks(gone, days)).toEqual(['BEFORE', 'BEFORE', 'AFTER', 'AFTER', 'AFTER'])
  const proven = { ...active, status: 'SUBMITTED' as const, proof: { submittedAt: '2026-11-05T20:00:00.000Z' } }
  expect(marks(proven, days)).toEqual(['BEFORE', 'DONE', 'MISSED', 'DONE', 'AFTER'])
})

test('days are counted in the tester’s time zone, and none is cut off', () => {
  const joinedAt = '2026-11-02T09:30:00.000Z'
  const east = { ...active, timeZone: 'Pacific/Auckland', joinedAt, begunAt: joinedAt, checkIns: [] }
  const days = gridDays([east], campaign, '2026-11-02T12:00:00.000Z')
  expect(days).toEqual(['2026-11-02', '2026-11-03'])
  expect(gridRow(east, days, '2026-11-02T12:00:00.000Z').map(({ mark }) => mark)).toEqual(['BEFORE', 'TODAY'])
})

test('a day that has begun for a tester in the east is ahead for one in the west, wherever the developer is', () => {
  const at = '2026-11-05T16:00:00.000Z'
  const since = { joinedAt: '2026-11-04T16:00:00.000Z', begunAt: '2026-11-04T16:00:00.000Z' }
  const tokyo = { ...active, ...since, timeZone: 'Asia/Tokyo', checkIns: [checkIn('2026-11-05')] }
  const newYork = { ...active, ...since, timeZone: 'America/New_York', checkIns: [checkIn('2026-11-04')] }
  const started = { startDate: '2026-11-04T15:30:00.000Z', running: true }
  const days = gridDays([tokyo, newYork], started, at)
  expect(days).toEqual(['2026-11-04', '2026-11-05', '2026-11-06'])
  const row = (tester: Tester) => gridRow(tester, days, at)
  expect(row(tokyo).map(({ mark }) => mark)).toEqual(['BEFORE', 'DONE', 'TODAY'])
  expect(row(newYork).map(({ mark }) => mark)).toEqual(['DONE', 'TODAY', 'AHEAD'])
  expect(
    row(newYork)
      .filter(isOfTest)
      .map(({ day }) => day),
  ).toEqual(['2026-11-04', '2026-11-05'])
  expect(gridDays([newYork], started, at)).toEqual(['2026-11-04', '2026-11-05'])
  expect(gridDays([tokyo], started, at)).toEqual(['2026-11-05', '2026-11-06'])
  const gone = { ...tokyo, status: 'DROPPED' as const, closedAt: '2026-11-05T10:00:00.000Z' }
  expect(gridDays([gone, newYork], started, at)).toEqual(['2026-11-04', '2026-11-05'])
})

test('an ended campaign shows the days to its last test, and no more', () => {
  const over = { ...active, status: 'VERIFIED' as const, closedAt: '2026-11-04T08:00:00.000Z', checkIns: [] }
  expect(gridDays([over], { ...campaign, running: false }, '2027-01-01T00:00:00.000Z').at(-1)).toBe('2026-11-04')
})

test('grid and strip count the same days, also when somebody checks in on more days than count', () => {
  const joinedAt = '2026-11-03T20:00:00.000Z'
  const daily = ['03', '04', '05', '06'].map(day => checkIn(`2026-11-${day}`))
  const eager = {
    ...active,
    joinedAt,
    begunAt: joinedAt,
    checkIns: daily,
    campaign: { ...active.campaign, durationDays: 3 },
  }
  const days = gridDays([eager], campaign, now)
  expect(marks(eager, days)).toEqual(['BEFORE', 'DONE', 'DONE', 'DONE', 'EXTRA'])
  expect(daysInRow(gridRow(eager, days, now))).toBe(doneOf(stripOf(eager, now)))
})

test('check-ins of an earlier opt-in are shown, and are none of the days that count', () => {
  const runs = [
    { startedAt: '2026-11-03T09:00:00.000Z', endedAt: '2026-11-04T09:00:00.000Z' },
    { startedAt: '2026-11-05T09:00:00.000Z', endedAt: null },
  ]
  const back = { ...active, runs, campaign: { ...active.campaign, accessMode: 'EMAIL_LIST' as const } }
  const days = gridDays([back], campaign, now)
  expect(marks(back, days)).toEqual(['BEFORE', 'EXTRA', 'BEFORE', 'DONE', 'TODAY'])
  expect(marks({ ...back, runs: runs.slice(0, 1) }, days)).toEqual(['BEFORE', 'EXTRA', 'BEFORE', 'EXTRA', 'BEFORE'])
})

test('the time of a check-in follows the check-in, and not the words about the test’s days', () => {
  expect(markWordsAt('DONE', '9:14 PM')).toBe('checked in at 9:14 PM')
  expect(markWordsAt('EXTRA', '9:14 PM')).toBe('checked in at 9:14 PM, outside the test’s days')
  expect(markWordsAt('EXTRA', null)).toBe('checked in, outside the test’s days')
})
