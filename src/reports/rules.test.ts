import { describe, expect, test } from 'vitest'
import { answersOf } from './answers.ts'
import type { Report } from './contract.ts'
import type { RetestResult } from '../bugs/terms.ts'
import { reportCsv } from './csv.ts'
import { bug, change, on, whole } from './report.cases.ts'
import {
  dropOutsOf,
  engagementOf,
  featuresOf,
  medianOf,
  reportedChangesOf,
  tallied,
  type TesterFacts,
  toReportedBug,
} from './rules.ts'
import { bugText, changeText, datesOf, dropOutText, feedbackLines } from './words.ts'

const tester = (ordinal: number, joined: number, more: Partial<TesterFacts> = {}): TesterFacts => ({
  id: `id${ordinal}`,
  ordinal,
  status: 'ACTIVE',
  dropReason: null,
  dropHours: 72,
  byPlatform: false,
  leftUnpaid: false,
  joinedAt: on(joined),
  closedAt: null,
  reviewedAt: null,
  daysCheckedIn: 0,
  model: 'Pixel 8',
  manufacturer: 'Google',
  osVersion: '14',
  ...more,
})
const gone = (ordinal: number, joined: number, left: number, more: Partial<TesterFacts> = {}) =>
  tester(ordinal, joined, { status: 'DROPPED', dropReason: 'LEFT', closedAt: on(left), ...more })

test('a dropped tester’s reason gives the hours of the campaign; a tester who left has no reason', () => {
  const late = gone(1, 2, 9, { dropReason: 'NO_PROOF', dropHours: 48 })
  expect(dropOutsOf([late, gone(2, 2, 9)], 12).map(({ how, why }) => [how, why])).toEqual([
    ['DROPPED', 'due proof not submitted within 48 hours'],
    ['LEFT', null],
  ])
})

describe('drop-outs and replacements', () => {
  const told = (testers: TesterFacts[], seats: number) =>
    dropOutsOf(testers, seats).map(({ alias, how, days, replacedBy }) => [alias, how, days, replacedBy?.alias ?? null])

  test('a tester who takes a freed seat replaces the one who had it', () => {
    expect(told([tester(1, 1), gone(2, 1, 9), tester(3, 10)], 2)).toEqual([['Tester 2', 'LEFT', 8, 'Tester 3']])
  })

  test('a tester is not replaced if nobody took the seat, or if seats were still free when they left', () => {
    expect(told([tester(1, 1), gone(2, 1, 9)], 2)).toEqual([['Tester 2', 'LEFT', 8, null]])
    expect(told([tester(1, 1), gone(2, 1, 9), tester(3, 10)], 5)).toEqual([['Tester 2', 'LEFT', 8, null]])
  })

  test('two testers who leave are replaced in turn, even a replacement, and all are listed in the order of leaving', () => {
    const testers = [
      gone(1, 1, 5, { dropReason: 'NO_CHECK_IN' }),
      gone(2, 1, 4),
      gone(3, 6, 8, { status: 'REJECTED', dropReason: null }),
      tester(4, 7),
      tester(5, 9),
    ]
    expect(told(testers, 2)).toEqual([
      ['Tester 2', 'LEFT', 3, 'Tester 3'],
      ['Tester 1', 'DROPPED', 4, 'Tester 4'],
      ['Tester 3', 'REJECTED', 2, 'Tester 5'],
    ])
  })

  test('a rejection that is not final yet keeps its seat, and is no drop-out', () => {
    expect(told([tester(1, 1), tester(2, 1, { status: 'REJECTED' }), tester(3, 2, { status: 'APPEALED' })], 3)).toEqual(
      [],
    )
  })

  test('a rejection is reported with the day on which it was made, and its seat is free once it is final', () => {
    const rejected = gone(1, 1, 8, { status: 'REJECTED', dropReason: null, reviewedAt: on(5) })
    const [first, second] = dropOutsOf([rejected, gone(2, 1, 6), tester(3, 7), tester(4, 9)], 2)
    expect(dropOutText(first!)).toBe('Tester 1 was rejected on Nov 5, 2026. Tester 4 took the seat on Nov 9, 2026.')
    expect(dropOutText(second!)).toBe(
      'Tester 2 left on Nov 6, 2026, after 5 days. Tester 3 took the seat on Nov 7, 2026.',
    )
  })

  test('a closed seat is not given again, so nobody replaces its tester', () => {
    const waited = gone(1, 1, 8, { status: 'CANCELLED', dropReason: null })
    expect(told([waited, gone(2, 1, 9), tester(3, 10)], 2)).toEqual([
      ['Tester 1', 'CANCELLED', 7, null],
      ['Tester 2', 'LEFT', 8, 'Tester 3'],
    ])
  })

  test('a tester who refuses a changed NDA and is owed nothing leaves a seat that another can take', () => {
    const refused = gone(1, 1, 1, { status: 'CANCELLED', dropReason: null, closedAt: on(1, 12), leftUnpaid: true })
    expect(told([refused, tester(2, 1), tester(3, 2)], 2)).toEqual([['Tester 1', 'CANCELLED', 0, 'Tester 3']])
  })
})

test('engagement is reported per day, with minutes only if somebody stated them', () => {
  const at = (day: string, minutes: number | null) => ({
    participationId: 'id',
    day,
    note: null,
    minutes,
    features: [],
  })
  expect(
    engagementOf([at('2026-11-02', 5), at('2026-11-01', null), at('2026-11-02', null), at('2026-11-02', 7)]),
  ).toEqual([
    { day: '2026-11-01', checkIns: 1, minutes: null },
    { day: '2026-11-02', checkIns: 3, minutes: 12 },
  ])
})

test('feature coverage names who tried what, and is left out when no check-in names a feature', () => {
  const some = [
    { alias: 'Tester 1', features: ['Search'] },
    { alias: 'Tester 2', features: ['Search', 'Notes'] },
  ]
  expect(featuresOf(['Notes', 'Search', 'Share'], some)).toEqual([
    { feature: 'Notes', testers: ['Tester 2'] },
    { feature: 'Search', testers: ['Tester 1', 'Tester 2'] },
    { feature: 'Share', testers: [] },
  ])
  expect(featuresOf(['Notes'], [{ alias: 'Tester 1', features: [] }])).toEqual([])
})

test('devices are counted, the most frequent first; a median is a value that somebody gave', () => {
  expect(tallied(['b', 'a', 'c', 'c'])).toEqual([
    { value: 'c', testers: 2 },
    { value: 'a', testers: 1 },
    { value: 'b', testers: 1 },
  ])
  expect([medianOf([]), medianOf([7]), medianOf([9, 1, 5]), medianOf([4, 1, 3, 2])]).toEqual([null, 7, 5, 2])
})

test('the table has a line for each fact, and no cell is a formula', () => {
  const { medianMinutes: _, ...facts } = whole
  const report: Report = {
    ...facts,
    campaign: { ...facts.campaign, title: '=HYPERLINK("https://example.test")' },
    notes: [{ alias: 'Tester 1', day: '2026-11-02', note: '+1 from Łukasz, "great"' }],
    answers: answersOf(whole, 300),
  }
  const lines = reportCsv(report).split('\r\n')
  expect(lines[0]).toBe('\uFEFFSection,Tester,Day or time,What,Value')
  expect(lines).toContain(`Campaign,,,Title,"'=HYPERLINK(""https://example.test"")"`)
  expect(lines).toContain(`Notes,Tester 1,2026-11-02,Check-in note,"'+1 from Łukasz, ""great"""`)
  expect(lines).toContain('Clock,,2026-11-16,Earliest date to apply,')
  expect(lines).toContain(`Runs,Tester 1,${on(2)},Opted in,`)
  expect(lines).toContain('Engagement,,2026-11-02,Minutes,130')
  expect(lines).toContain('Features,Tester 1,,Tried,Search')
  expect(lines).toContain(`Drop-outs,Tester 15,${on(10)},Took the seat of,Tester 14`)
  expect(lines.filter(line => line.startsWith('Answers,'))).toHaveLength(5)
})

test.each([
  ['LIVE', null, 'Ends: Nov 16', `${on(16)},Ends`],
  ['CANCELLED', on(12), 'Cancelled: Nov 12', `${on(12)},Ended`],
  ['COMPLETED', on(13), 'Completed: Nov 13', `${on(13)},Ended`],
] as const)(
  '%s, ended at %s: the report says when it ended, or before that its planned end',
  (status, endedAt, head, line) => {
    const { medianMinutes: _, ...facts } = whole
    const report: Report = { ...facts, campaign: { ...facts.campaign, status, endedAt }, answers: [] }
    const dates = datesOf(report).map(({ label, value }) => `${label}: ${value.split(',')[0]}`)
    expect(dates.filter(date => /^(Ends|Cancelled|Completed)/.test(date))).toEqual([head])
    const ends = reportCsv(report)
      .split('\r\n')
      .filter(one => /,End(s|ed),/.test(one))
    expect(ends).toEqual([`Campaign,,${line},`])
  },
)

test('the report begins with the terms of the campaign and how far the closed test has come', () => {
  const { medianMinutes: _, ...facts } = whole
  const lines = datesOf({ ...facts, answers: [] }).map(({ label, value }) => `${label}: ${value}`)
  expect(lines.map(line => line.replaceAll(/\s/g, ' '))).toEqual([
    'Access: Closed test, with an email list',
    'Seats: 15',
    'Joined: 13 testers',
    'Duration: 14 days',
    'Started: Nov 1, 2026, 10:00 AM UTC',
    'Ends: Nov 16, 2026, 10:00 AM UTC',
    'Opted in without a break: 13 testers',
    'Earliest date to apply: Nov 16, 2026',
    'Report written: Nov 17, 2026, 12:00 PM UTC',
  ])
})

describe('bugs and changes', () => {
  test('each tester counts once for a change, and as “works now” only if they found nothing broken and left nothing open', () => {
    const said = (ordinal: number, result: RetestResult | null, open = result === null) => ({
      bugId: `bug ${ordinal}`,
      alias: `Tester ${ordinal}`,
      own: false,
      result,
      open,
    })
    const answered = (number: number, reporters: ReturnType<typeof said>[]) => ({
      id: `bug ${number}`,
      number,
      title: 'Search closes the app',
      status: 'FIXED' as const,
      fixedIn: '1.2',
      own: false,
      mayOpen: true,
      reporters,
    })
    const heard = { testId: 'test 1', question: 'What is missing?', quote: 'A dark look', note: null }
    const bugs = [
      answered(1, [said(1, 'WORKS'), said(2, 'WORKS'), said(3, 'WORKS'), said(5, null, false)]),
      answered(2, [said(1, 'WORKS'), said(2, 'STILL_BROKEN'), said(3, null), said(4, null)]),
    ]
    const feedback = [{ ...said(1, 'WORKS'), ...heard }]
    const [told] = reportedChangesOf([
      { id: 'v', version: '1.2', publishedAt: on(22), changes: [{ id: 'c', text: 'Faster', bugs, feedback }] },
    ])
    expect(told).toMatchObject({ works: 1, stillBroken: 1, notTested: 2 })
    expect(changeText(told!)).toContain(
      'works now for 1 tester, still broken for 1 tester, not tested yet by 2 testers',
    )
  })

  const fixed = { status: 'FIXED', fixedIn: '1.2', retest: 'WORKS' } as const
  const again = { status: 'DUPLICATE', duplicateOf: 1, fixedIn: '1.2', retest: 'WORKS', severity: 'LOW' } as const
  const bugs = [bug(1, fixed), bug(2, again), bug(3, { severity: 'LOW' })]
  const changes = [
    change('1.1', 'It starts faster.'),
    change('1.2', 'Long words no longer close the search', { bugs: [1], works: 2 }),
    change('1.2', 'New icon'),
  ]

  test('a reopened bug does not count as working, whatever was found before', () => {
    const reported = (more: object) => toReportedBug({ ...bug(1, more), ordinal: 1 }).retest
    expect([reported(fixed), reported(again), reported({ ...fixed, status: 'OPEN', fixedIn: null })]).toEqual([
      'WORKS',
      'WORKS',
      null,
    ])
    expect(reported({ status: 'CONFIRMED', retest: 'STILL_BROKEN' })).toBe('STILL_BROKEN')
  })

  test('each appears as a line, and in the table', () => {
    expect(bugs.map(bugText)).toEqual([
      '#1 Search closes the app (high, Tester 1, Nov 20, 2026): fixed in 1.2, works now',
      '#2 Search closes the app (low, Tester 2, Nov 20, 2026): duplicate of #1, fixed in 1.2, works now',
      '#3 Search closes the app (low, Tester 3, Nov 20, 2026): open',
    ])
    expect(changeText(changes[1]!)).toBe(
      '1.2, Nov 22, 2026: Long words no longer close the search. Addresses #1: works now for 2 testers.',
    )
    expect(changeText(changes[0]!)).toBe('1.1, Nov 22, 2026: It starts faster.')
    // Nobody counts as asked, since the bug was reopened and the questions were withdrawn.
    expect(changeText(change('1.2', 'It starts faster.', { bugs: [1] }))).toBe(
      '1.2, Nov 22, 2026: It starts faster. Addresses #1.',
    )
    const csv = reportCsv({ ...whole, bugs, changes, answers: [] })
    expect(csv).toContain('Bugs,Tester 2,,#2 duplicate of,1')
    expect(csv).toContain('Changes,,,1.2 addresses,#1')
  })
})

test('the table contains the answers to the feedback form, each line with its five columns', () => {
  const words = { text: 'What is missing?', answered: 1, mean: null, counts: [] }
  const feedback = {
    answered: 2,
    sus: { score: 77.5, testers: 2 },
    questions: [
      { text: 'Easy?', answered: 2, mean: 4.5, counts: [{ value: '5', testers: 1 }], quotations: [] },
      { ...words, quotations: [{ alias: 'Tester 2', text: 'Undo' }] },
    ],
  }
  const lines = reportCsv({ ...whole, feedback, answers: [] }).split('\r\n')
  expect(lines.filter(line => line.startsWith('Feedback'))).toEqual([
    'Feedback,,,Testers who answered,2',
    'Feedback,,,System Usability Scale,77.5',
    'Feedback,,,Easy? (mean),4.5',
    'Feedback,,,Easy? 5,1',
    'Feedback,Tester 2,,What is missing?,Undo',
  ])
})

test('an answer follows the question mark of its question, or a colon if the question ends without a mark', () => {
  const question = { answered: 2, mean: null, counts: [], quotations: [] }
  const lines = feedbackLines({
    answered: 2,
    sus: null,
    questions: [
      { ...question, text: 'Easy?', mean: 4.5 },
      { ...question, text: 'Would you keep it', counts: [{ value: 'Yes', testers: 2 }] },
      { ...question, text: 'Tell us more…', quotations: [{ alias: 'Tester 2', text: 'Undo' }] },
    ],
  })
  expect(lines.slice(1)).toEqual([
    'Easy? 4.5 out of 5 on average, 2 testers',
    'Would you keep it: Yes 2 (2 testers)',
    'Tell us more… “Undo” (Tester 2)',
  ])
})
