/** Hand-worked cases of the clock, in a notation that can be read aloud; rules.test.ts runs them. */
import type { Instant } from '../kit/clock.ts'
import type { Run, TesterFacts } from './rules.ts'

/** `03-01 10:00` is in UTC in 2026, `2028-02-29 10:00` names its year, `2026-03-02T08:30+09:00` its zone. */
export const instant = (text: string): Instant => {
  if (text.includes('T')) return new Date(text).toISOString()
  const dated = /^\d{4}-/.test(text) ? text : `2026-${text}`
  return new Date(`${dated.replace(' ', 'T')}Z`).toISOString()
}

/** `03-01 10:00` lasts, `03-01 10:00 – 03-08 10:00` has ended; a `?` behind it is contested, `void` was no run. */
const runOf = (text: string): Run => {
  const [, start = '', end, flag] = /^(.+?)(?: – (.+?))?(?: (\?|void))?$/.exec(text) ?? []
  return {
    startedAt: instant(start),
    endedAt: end === undefined ? null : instant(end),
    contested: flag === '?',
    voided: flag === 'void',
  }
}

/** `11 × 03-01 10:00` are eleven testers; commas stand between the runs of one. */
export const testersOf = (...lines: string[]): TesterFacts[] =>
  lines
    .flatMap(line => {
      const [, count = '1', runs = ''] = /^(?:(\d+) × )?(.*)$/.exec(line) ?? []
      return Array.from({ length: Number(count) }, () => (runs === 'none' ? [] : runs.split(', ').map(runOf)))
    })
    .map((runs, index) => ({ id: `id${index + 1}`, alias: `Tester ${index + 1}`, atRisk: false, account: null, runs }))

const now = '03-10 12:00'
const eachDay = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `03-${String(from + index).padStart(2, '0')} 10:00`)

export type Case = {
  what: string
  testers: string[]
  now: string
  /** Testers opted in without a break; the date; the day of 14; the days with 12 or more at once. */
  unbroken: number
  date: string | null
  day: number | null
  together: number
}

const row =
  (at: string) =>
  (
    what: string,
    testers: string[],
    unbroken: number,
    date: string | null,
    day: number | null,
    together: number,
    later = at,
  ): Case => ({ what, testers, now: later, unbroken, date, day, together })
const at = row(now)

const counting: Case[] = [
  at('nobody', [], 0, null, null, 0),
  at('twelve who have joined and not opted in', ['12 × none'], 0, null, null, 0),
  at('eleven, for weeks', ['11 × 02-01 10:00'], 11, null, null, 0),
  at('exactly twelve', ['12 × 03-01 10:00'], 12, '2026-03-15', 10, 9),
  at('the twelfth three days later', ['11 × 03-01 10:00', '03-04 08:00'], 12, '2026-03-18', 7, 6),
  at('the twelfth, named first', ['03-04 08:00', '11 × 03-01 10:00'], 12, '2026-03-18', 7, 6),
  at('a thirteenth changes nothing', ['12 × 03-01 10:00', '03-09 10:00'], 13, '2026-03-15', 10, 9),
  at('two late ones', ['11 × 03-01 10:00', '03-03 10:00', '03-06 10:00'], 13, '2026-03-17', 8, 7),
  at('one a day, the twelfth just now', eachDay(1, 12), 12, '2026-03-26', 1, 0, '03-12 11:00'),
  at('one a day, fifteen', eachDay(1, 15), 15, '2026-03-26', 4, 3, '03-15 12:00'),
  at('a hundred at once', ['100 × 03-01 10:00'], 100, '2026-03-15', 10, 9),
]

const reaching: Case[] = [
  at('a minute before', ['12 × 03-01 10:00'], 12, '2026-03-15', 14, 13, '03-15 09:59'),
  at('to the minute', ['12 × 03-01 10:00'], 12, '2026-03-15', 14, 14, '03-15 10:00'),
  at('five weeks later', ['12 × 03-01 10:00'], 12, '2026-03-15', 14, 50, '04-20 10:00'),
  at('a newcomer afterwards', ['12 × 03-01 10:00', '03-20 10:00'], 13, '2026-03-15', 14, 20, '03-21 12:00'),
  at(
    'reached, then one of twelve leaves',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-16 10:00'],
    11,
    null,
    null,
    0,
    '03-17 10:00',
  ),
]

const leaving: Case[] = [
  at('one of twelve leaves', ['11 × 03-01 10:00', '03-01 10:00 – 03-08 10:00'], 11, null, null, 0),
  at(
    'one of thirteen leaves, and the youngest becomes the twelfth',
    ['11 × 03-01 10:00', '03-05 10:00', '03-01 10:00 – 03-08 10:00'],
    12,
    '2026-03-19',
    6,
    9,
  ),
  at('the youngest of thirteen leaves', ['12 × 03-01 10:00', '03-05 10:00 – 03-08 10:00'], 12, '2026-03-15', 10, 9),
  at(
    'a leaver comes back two days later, at day 1',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-04 10:00, 03-06 10:00'],
    12,
    '2026-03-20',
    5,
    4,
  ),
  at(
    'a leaver comes back in the same moment',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-04 10:00, 03-04 10:00'],
    12,
    '2026-03-18',
    7,
    9,
  ),
  at(
    'a leaver comes back twice',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-03 10:00, 03-04 10:00 – 03-07 10:00, 03-09 10:00'],
    12,
    '2026-03-23',
    2,
    1,
  ),
  at(
    'a leaver comes back after the date had been reached',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-16 10:00, 03-17 10:00'],
    12,
    '2026-03-31',
    4,
    3,
    '03-20 12:00',
  ),
  at(
    'two of fourteen leave on one day',
    ['12 × 03-01 10:00', '2 × 03-01 10:00 – 03-08 10:00'],
    12,
    '2026-03-15',
    10,
    9,
  ),
  at('two of thirteen leave on one day', ['11 × 03-01 10:00', '2 × 03-01 10:00 – 03-08 10:00'], 11, null, null, 0),
  at(
    'two of thirteen leave on one day, one comes back',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-08 10:00', '03-01 10:00 – 03-08 15:00, 03-09 10:00'],
    12,
    '2026-03-23',
    2,
    1,
  ),
  at(
    'a replacement on day 8 starts at day 1',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-08 10:00', '03-08 12:00'],
    12,
    '2026-03-22',
    3,
    2,
  ),
  at(
    'a replacement in the very moment: only the second reading goes on',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-08 10:00', '03-08 10:00'],
    12,
    '2026-03-22',
    3,
    9,
  ),
  at(
    'a replacement who came a day before',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-08 10:00', '03-07 10:00'],
    12,
    '2026-03-21',
    4,
    9,
  ),
  at('all twelve leave', ['12 × 03-01 10:00 – 03-08 10:00'], 0, null, null, 0),
  at('all twelve leave and come back', ['12 × 03-01 10:00 – 03-08 10:00, 03-09 10:00'], 12, '2026-03-23', 2, 1),
  at('one opts in and out in one moment', ['12 × 03-01 10:00', '03-02 10:00 – 03-02 10:00'], 12, '2026-03-15', 10, 9),
]

const contesting: Case[] = [
  at('one of twelve is contested', ['11 × 03-01 10:00', '03-01 10:00 ?'], 11, null, null, 0),
  at('one of thirteen is contested', ['12 × 03-01 10:00', '03-01 10:00 ?'], 12, '2026-03-15', 10, 9),
  at('the two oldest are contested', ['12 × 03-02 10:00', '2 × 03-01 10:00 ?'], 12, '2026-03-16', 9, 8),
  at('one left while contested', ['12 × 03-01 10:00', '03-01 10:00 – 03-05 10:00 ?'], 12, '2026-03-15', 10, 9),
  at(
    'a clean run before does not help a contested one',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-03 10:00, 03-03 10:00 ?'],
    11,
    null,
    null,
    0,
  ),
  at(
    'a void run counts for neither reading, the next one does',
    ['11 × 03-01 10:00', '03-01 10:00 – 03-06 10:00 void, 03-07 10:00'],
    12,
    '2026-03-21',
    4,
    3,
  ),
  at('a void run beside twelve', ['12 × 03-01 10:00', '03-01 10:00 – 03-06 10:00 void'], 12, '2026-03-15', 10, 9),
]

/** The twelfth opts in where it is another day than in UTC. */
const midnights: Case[] = (
  [
    ['a minute before midnight', '03-01 23:59', '2026-03-15', 9, 8],
    ['at midnight', '03-02 00:00', '2026-03-16', 9, 8],
    ['in Tokyo on Monday morning, still Sunday in UTC', '2026-03-02T08:30+09:00', '2026-03-15', 9, 8],
    ['in Tokyo at nine, Monday in UTC', '2026-03-02T09:00+09:00', '2026-03-16', 9, 8],
    ['in Los Angeles on Sunday evening, Monday in UTC', '2026-03-01T17:00-08:00', '2026-03-16', 9, 8],
    ['in Honolulu on Sunday afternoon, Monday in UTC', '2026-03-01T14:00-10:00', '2026-03-16', 9, 8],
    ['in Kiritimati on Monday afternoon, still Sunday in UTC', '2026-03-02T13:59+14:00', '2026-03-15', 9, 8],
    ['in India half an hour aside', '2026-03-02T05:29+05:30', '2026-03-15', 9, 8],
  ] as const
).map(([what, twelfth, date, day, together]) => at(what, ['11 × 03-01 10:00', twelfth], 12, date, day, together))

const calendars: Case[] = [
  at('over a leap day', ['12 × 2028-02-20 10:00'], 12, '2028-03-05', 11, 10, '2028-03-01 12:00'),
  at('over the end of February', ['12 × 02-20 10:00'], 12, '2026-03-06', 10, 9, '03-01 12:00'),
  at('from a leap day', ['12 × 2028-02-29 10:00'], 12, '2028-03-14', 2, 1, '2028-03-01 12:00'),
  at('to a leap day', ['12 × 2028-02-15 10:00'], 12, '2028-02-29', 14, 14, '2028-02-29 10:00'),
  at('over the year 2100, which has none', ['12 × 2100-02-20 10:00'], 12, '2100-03-06', 10, 9, '2100-03-01 12:00'),
  at('over the end of the year', ['12 × 12-25 10:00'], 12, '2027-01-08', 8, 7, '2027-01-01 12:00'),
  at(
    'Berlin loses an hour: fourteen days are 336 hours, an hour later on its clocks',
    ['12 × 2026-03-16T12:00+01:00'],
    12,
    '2026-03-30',
    14,
    13,
    '2026-03-30T12:00+02:00',
  ),
  at(
    'Berlin loses an hour: reached at one',
    ['12 × 2026-03-16T12:00+01:00'],
    12,
    '2026-03-30',
    14,
    14,
    '2026-03-30T13:00+02:00',
  ),
  at(
    'Berlin gains an hour: reached at eleven',
    ['12 × 2026-10-18T12:00+02:00'],
    12,
    '2026-11-01',
    14,
    14,
    '2026-11-01T11:00+01:00',
  ),
  at(
    'Berlin half past midnight is the day before in UTC, on both sides of the change',
    ['12 × 2026-03-22T00:30+01:00'],
    12,
    '2026-04-04',
    8,
    7,
    '2026-03-29T12:00+02:00',
  ),
  at('New York loses an hour', ['12 × 2026-03-01T19:30-05:00'], 12, '2026-03-16', 7, 6, '2026-03-08T12:00-04:00'),
]

export const cases: Record<string, Case[]> = {
  'how many count': counting,
  'the date is reached': reaching,
  'leaving and coming back': leaving,
  'contested and void runs': contesting,
  'days on both sides of midnight': midnights,
  'leap days and clock changes': calendars,
}
