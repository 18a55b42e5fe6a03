import { describe, expect, test } from 'vitest'
import { answersOf } from './answers.ts'
import type { Report, ReportedBug, ReportedChange, ReportTester } from './contract.ts'
import type { RetestResult } from '../bugs/terms.ts'
import { reportCsv } from './csv.ts'
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
import { questionKeys } from './terms.ts'
import { bugText, changeText, deviceText, noDraftText } from './words.ts'

const on = (day: number, hour = 10) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`

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
  daysCheckedIn: 0,
  model: 'Pixel 8',
  manufacturer: 'Google',
  osVersion: '14',
  ...more,
})
const gone = (ordinal: number, joined: number, left: number, more: Partial<TesterFacts> = {}) =>
  tester(ordinal, joined, { status: 'DROPPED', dropReason: 'LEFT', closedAt: on(left), ...more })

test('who was dropped says why, in hours of the campaign; who left does not', () => {
  const late = gone(1, 2, 9, { dropReason: 'NO_PROOF', dropHours: 48 })
  expect(dropOutsOf([late, gone(2, 2, 9)], 12).map(({ how, why }) => [how, why])).toEqual([
    ['DROPPED', 'no proof within 48 hours'],
    ['LEFT', null],
  ])
})

const bug = (number: number, more: Partial<ReportedBug> = {}): ReportedBug => ({
  number,
  title: 'Search closes the app',
  alias: `Tester ${number}`,
  severity: 'HIGH',
  status: 'OPEN',
  fixedIn: null,
  duplicateOf: null,
  reportedAt: on(20),
  retest: null,
  ...more,
})
const change = (version: string, text: string, more: Partial<ReportedChange> = {}): ReportedChange => ({
  version,
  publishedAt: on(22),
  text,
  bugs: [],
  feedback: [],
  works: 0,
  stillBroken: 0,
  notTested: 0,
  ...more,
})

describe('drop-outs and replacements', () => {
  const told = (testers: TesterFacts[], seats: number) =>
    dropOutsOf(testers, seats).map(({ alias, how, days, replacedBy }) => [alias, how, days, replacedBy?.alias ?? null])

  test('who takes a freed seat replaces the one who was in it', () => {
    expect(told([tester(1, 1), gone(2, 1, 9), tester(3, 10)], 2)).toEqual([['Tester 2', 'LEFT', 8, 'Tester 3']])
  })

  test('nobody replaces whose seat nobody took, or who left while seats were still free', () => {
    expect(told([tester(1, 1), gone(2, 1, 9)], 2)).toEqual([['Tester 2', 'LEFT', 8, null]])
    expect(told([tester(1, 1), gone(2, 1, 9), tester(3, 10)], 5)).toEqual([['Tester 2', 'LEFT', 8, null]])
  })

  test('two who leave are replaced in turn, a replacement too, and each is told in the order of leaving', () => {
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

  test('a rejection that is not final yet has its seat, and is no drop-out', () => {
    expect(told([tester(1, 1), tester(2, 1, { status: 'REJECTED' }), tester(3, 2, { status: 'APPEALED' })], 3)).toEqual(
      [],
    )
  })

  test('a closed seat is not given again, so nobody replaces its tester', () => {
    const waited = gone(1, 1, 8, { status: 'CANCELLED', dropReason: null })
    expect(told([waited, gone(2, 1, 9), tester(3, 10)], 2)).toEqual([
      ['Tester 1', 'CANCELLED', 7, null],
      ['Tester 2', 'LEFT', 8, 'Tester 3'],
    ])
  })

  test('who does not accept a changed NDA and is owed nothing leaves a seat that another takes', () => {
    const refused = gone(1, 1, 1, { status: 'CANCELLED', dropReason: null, closedAt: on(1, 12), leftUnpaid: true })
    expect(told([refused, tester(2, 1), tester(3, 2)], 2)).toEqual([['Tester 1', 'CANCELLED', 0, 'Tester 3']])
  })
})

test('engagement is told per day; minutes only where somebody said them', () => {
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

const reportTester = (ordinal: number, more: Partial<ReportTester> = {}): ReportTester => ({
  id: `id${ordinal}`,
  alias: `Tester ${ordinal}`,
  status: 'ACTIVE',
  dropped: null,
  byPlatform: false,
  joinedAt: on(2),
  device: { model: 'Pixel 8', manufacturer: 'Google', osVersion: '14' },
  runs: [{ startedAt: on(2), endedAt: null, ended: null, contested: false, days: 15 }],
  counts: true,
  daysCheckedIn: 14,
  features: ['Search'],
  ...more,
})

type Facts = Parameters<typeof answersOf>[0]

const nothing: Facts = {
  campaign: {
    id: '01900000-0000-7000-8000-000000000000',
    title: 'Notes',
    platform: 'android',
    accessMode: 'EMAIL_LIST',
    status: 'LIVE',
    testersRequired: 15,
    durationDays: 14,
    payPerTesterCents: 1000,
    filters: { countries: [], minAndroidVersion: null, minIOSVersion: null },
    startDate: on(1),
    endDate: on(16),
    appliedAt: null,
  },
  writtenAt: on(17, 12),
  clock: {
    requiredTesters: 12,
    requiredDays: 14,
    unbrokenTesters: 0,
    earliestDate: null,
    earliestAt: null,
    aggregateRunDays: 0,
  },
  testers: [],
  dropOuts: [],
  checkInsKeptFrom: null,
  engagement: [],
  features: [],
  devices: [],
  osVersions: [],
  feedback: null,
  bugs: [],
  changes: [],
  notes: [],
  medianMinutes: null,
}

const whole: Facts = {
  ...nothing,
  clock: {
    ...nothing.clock,
    unbrokenTesters: 13,
    earliestDate: '2026-11-16',
    earliestAt: on(16),
    aggregateRunDays: 15,
  },
  testers: Array.from({ length: 13 }, (_, index) =>
    reportTester(index + 1, { status: index < 2 ? 'VERIFIED' : 'ACTIVE' }),
  ),
  dropOuts: [
    {
      id: 'x',
      alias: 'Tester 14',
      at: on(9),
      how: 'LEFT',
      why: null,
      days: 7,
      replacedBy: { alias: 'Tester 15', joinedAt: on(10) },
    },
    {
      id: 'y',
      alias: 'Tester 16',
      at: on(9),
      how: 'DROPPED',
      why: 'no proof within 72 hours',
      days: 7,
      replacedBy: null,
    },
  ],
  engagement: [
    { day: '2026-11-02', checkIns: 13, minutes: 130 },
    { day: '2026-11-03', checkIns: 12, minutes: null },
  ],
  features: [
    { feature: 'Search', testers: ['Tester 1'] },
    { feature: 'Share', testers: [] },
  ],
  devices: [{ device: 'Google Pixel 8', testers: 13 }],
  osVersions: [{ version: '14', testers: 13 }],
  medianMinutes: 10,
}

const draftsOf = (facts: Facts, most = 300) =>
  Object.fromEntries(answersOf(facts, most).map(({ key, draft }) => [key, draft]))

describe('the drafts', () => {
  test('say what was recorded, in at most 300 characters, and nothing where nothing is recorded', () => {
    expect(draftsOf(whole)).toEqual({
      recruiting:
        'We recruited 13 testers on Fieldtest, a marketplace where developers find people to test their apps. The testers were paid: $10.00 each, once their test was verified.',
      ease: 'The first 12 testers joined within 1 day of the start. 2 testers did not finish; 1 of them was replaced.',
      engagement:
        '13 testers checked in 25 times in total, over 2 days. They tried 1 of the 2 features that we asked about. Half of them checked in on 14 days or more. They used their own devices, 1 model. On half of the days with a recorded duration, they used the app for 10 minutes or longer.',
      feedback: null,
      audience: 'Our testers used 1 device model with Android 14.',
      value: null,
      installs: null,
      changes: null,
      readiness:
        '13 testers were opted in for at least 14 days without a break, 12 of them since Nov 2, 2026. 13 of them checked in on 14 days or more. We reviewed and verified the work of 2 testers.',
      rejection: null,
    })
    expect(answersOf(whole, 300).every(({ draft, characters }) => characters === (draft?.length ?? 0))).toBe(true)
  })

  test('count nobody who checked in on all days where nobody did', () => {
    const testers = whole.testers.map(one => ({ ...one, daysCheckedIn: 13 }))
    const { readiness } = draftsOf({ ...whole, testers })
    expect(readiness).toContain('13 testers were opted in')
    expect(readiness).not.toContain('checked in')
  })

  test('ask ten questions, and offer nothing to a campaign of which nothing is recorded', () => {
    expect(answersOf(nothing, 300).map(({ key }) => key)).toEqual([...questionKeys])
    expect(questionKeys).toHaveLength(10)
    expect(Object.values(draftsOf(nothing)).every(draft => draft === null)).toBe(true)
  })

  test('name for every number the part of the report that it comes from, which is never empty', () => {
    const filled: Record<string, boolean> = {
      terms: true,
      runs: whole.testers.length > 0,
      dropOuts: whole.dropOuts.length > 0,
      engagement: whole.engagement.length > 0,
      features: whole.features.length > 0,
      devices: whole.devices.length > 0,
    }
    for (const { parts } of answersOf(whole, 4000)) {
      for (const { text, fact } of parts) {
        if (/\d/.test(text)) expect({ text, fact }).not.toEqual({ text, fact: null })
        if (fact !== null) expect(filled[fact], `${text} from ${fact}`).toBe(true)
      }
    }
  })

  test('leave out whole sentences that do not fit, never parts of one', () => {
    expect(draftsOf(whole, 120).recruiting).toBe(
      'We recruited 13 testers on Fieldtest, a marketplace where developers find people to test their apps.',
    )
    for (const most of [100, 150, 300])
      for (const draft of Object.values(draftsOf(whole, most))) {
        expect((draft ?? '').length).toBeLessThanOrEqual(most)
        if (draft !== null) expect(draft).toMatch(/\.$/)
      }
  })

  test('say that all features were tried only when they were, and by how many at least', () => {
    const engagementWith = (features: Facts['features']) => draftsOf({ ...whole, features }, 4000).engagement
    const search = { feature: 'Search', testers: ['Tester 1', 'Tester 2'] }
    expect(engagementWith([search, { feature: 'Share', testers: ['Tester 1'] }])).toContain(
      'All 2 features that we asked about were tried, each by at least 1 tester.',
    )
    expect(engagementWith([search])).toContain('2 testers tried the one feature that we asked about.')
    expect(engagementWith([])).not.toContain('feature')
    expect(draftsOf({ ...whole, features: [search] }).readiness).toContain('They tried every feature')
    expect(draftsOf(whole).readiness).not.toContain('every feature')
  })

  test('say of the audience whom the campaign was open to and what they tested on, not whom the app is for', () => {
    const filters = { countries: ['Germany', 'PL'], minAndroidVersion: '12', minIOSVersion: null }
    const osVersions = ['9', '14', '12'].map(version => ({ version, testers: 1 }))
    const asked = { ...whole, campaign: { ...whole.campaign, filters }, osVersions }
    expect(draftsOf(asked).audience).toBe(
      'We looked for testers in Germany and Poland. Our testers used 1 device model with Android 9 to 14. We asked for Android 12 or newer.',
    )
    expect(draftsOf({ ...asked, devices: [], osVersions: [] }).audience).toBeNull()
  })

  test('count no device of a deleted account, and say that there may have been more models', () => {
    const [first, ...others] = whole.testers
    const unknown = { ...first!, device: { model: null, manufacturer: null, osVersion: '14' } }
    const some = draftsOf({ ...whole, testers: [unknown, ...others] })
    expect(some.engagement).toContain('They used their own devices, at least 1 model.')
    expect(some.audience).toBe('Our testers used at least 1 device model with Android 14.')
    const none = draftsOf({ ...whole, testers: [unknown], devices: [] })
    expect(none.engagement).not.toContain('devices')
    expect(none.audience).toBe('Our testers used Android 14.')
    expect(deviceText(unknown, whole.campaign)).toBe('device not kept, Android 14')
  })

  test('of ease speak of those who joined when fewer than twelve did', () => {
    const few = { ...whole, testers: whole.testers.slice(0, 3), dropOuts: [] }
    expect(draftsOf(few).ease).toBe('The first 3 testers joined within 1 day of the start.')
  })

  test('of feedback there is none: it says where the notes are, which are raw', () => {
    const notes = [{ alias: 'Tester 1', day: '2026-11-02', note: 'Search forgets.' }]
    expect(draftsOf({ ...whole, notes }).feedback).toBeNull()
    expect(noDraftText('feedback', { notes })).toContain('Testers left 1 note with their check-ins')
    expect(noDraftText('feedback', { notes: [] })).toContain('Nothing recorded')
    expect(noDraftText('changes', { notes })).toContain('Nothing recorded')
  })

  test('do not speak of the answers to no question', () => {
    expect(draftsOf({ ...whole, feedback: { answered: 2, sus: null, questions: [] } }).feedback).toBeNull()
  })

  test('say that the testers are paid, also before the first was', () => {
    const unpaid = { ...whole, testers: whole.testers.map(one => ({ ...one, status: 'ACTIVE' as const })) }
    expect(draftsOf(unpaid).recruiting).toContain('The testers are paid: $10.00 each, once their test is verified.')
  })

  test('do not say that the days are whole before they are', () => {
    const early = { ...whole, testers: whole.testers.slice(0, 11) }
    expect(draftsOf(early).readiness).not.toContain('without a break')
    expect(draftsOf({ ...whole, writtenAt: on(15) }).readiness).not.toContain('without a break')
    const { clock } = nothing
    expect(draftsOf({ ...whole, clock }).readiness).not.toContain('without a break')
  })
})

test('the table holds each fact in a line, and no cell is a formula', () => {
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

describe('bugs and changes', () => {
  test('of a change each tester counts once, and as works now only where they found nothing broken and left nothing open', () => {
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
  const answer = (key: string) => answersOf({ ...whole, bugs, changes }, 700).find(each => each.key === key)!

  test('a bug that is open again does not work now, whatever was found before', () => {
    const reported = (more: object) => toReportedBug({ ...bug(1, more), ordinal: 1 }).retest
    expect([reported(fixed), reported(again), reported({ ...fixed, status: 'OPEN', fixedIn: null })]).toEqual([
      'WORKS',
      'WORKS',
      null,
    ])
    expect(reported({ status: 'CONFIRMED', retest: 'STILL_BROKEN' })).toBe('STILL_BROKEN')
  })

  test('the draft of changes has the words of each version, and what was fixed and tested again', () => {
    expect(answer('changes').draft).toBe(
      'In version 1.1 we changed: It starts faster. In version 1.2 we changed: Long words no longer close the search; New icon. ' +
        'We fixed 1 of the 2 bugs that testers reported. 2 testers retested and confirmed the fixes.',
    )
    const facts = answer('changes').parts.filter(({ fact }) => fact !== null)
    expect(facts.map(({ text, fact }) => [text, fact])).toEqual([
      ['1.1', 'changes'],
      ['It starts faster', 'changes'],
      ['1.2', 'changes'],
      ['Long words no longer close the search; New icon', 'changes'],
      ['1', 'bugs'],
      ['2 bugs', 'bugs'],
      ['2 testers', 'bugs'],
    ])
  })

  test('the draft of feedback counts bugs, the severe ones, and what was reported twice', () => {
    expect(answer('feedback').draft).toBe(
      '3 testers reported 3 bugs on Fieldtest, each with steps to reproduce it. They rated 1 of them critical or high. 1 of them had been reported before.',
    )
  })

  test('each stands as a line, and in the table', () => {
    expect(bugs.map(bugText)).toEqual([
      '#1 Search closes the app (high, Tester 1, Nov 20, 2026): fixed in 1.2, works now',
      '#2 Search closes the app (low, Tester 2, Nov 20, 2026): duplicate of #1, fixed in 1.2, works now',
      '#3 Search closes the app (low, Tester 3, Nov 20, 2026): open',
    ])
    expect(changeText(changes[1]!)).toBe(
      '1.2, Nov 22, 2026: Long words no longer close the search. Addresses #1: works now for 2 testers.',
    )
    expect(changeText(changes[0]!)).toBe('1.1, Nov 22, 2026: It starts faster.')
    // Whoever was asked is asked no more: the bug was open again.
    expect(changeText(change('1.2', 'It starts faster.', { bugs: [1] }))).toBe(
      '1.2, Nov 22, 2026: It starts faster. Addresses #1.',
    )
    const csv = reportCsv({ ...whole, bugs, changes, answers: [] })
    expect(csv).toContain('Bugs,Tester 2,,#2 duplicate of,1')
    expect(csv).toContain('Changes,,,1.2 addresses,#1')
  })
})

test('the table has what was answered to the feedback form, each line with its five columns', () => {
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
    'Feedback,,,Easy?: 5,1',
    'Feedback,Tester 2,,What is missing?,Undo',
  ])
})
