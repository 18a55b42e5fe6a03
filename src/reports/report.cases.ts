/** Building blocks of reports for tests. */
import type { answersOf } from './answers.ts'
import type { ReportedBug, ReportedChange, ReportTester } from './contract.ts'

export const on = (day: number, hour = 10) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`

export const bug = (number: number, more: Partial<ReportedBug> = {}): ReportedBug => ({
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
export const change = (version: string, text: string, more: Partial<ReportedChange> = {}): ReportedChange => ({
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

export type Facts = Parameters<typeof answersOf>[0]

export const nothing: Facts = {
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
    endedAt: null,
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

export const whole: Facts = {
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
