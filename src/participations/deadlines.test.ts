import { describe, expect, test } from 'vitest'
import { dayAfter, dayIn, hoursAfter } from '../kit/clock.ts'
import { deadlineOf, leavesPaid, onWake, wakeAt, waitingPay } from './deadlines.ts'
import { funnelOf, mayReportNoAccessAt, mustStay, nextStepOf } from './optIn.ts'
import { allowedActions, refusal } from './rules.ts'
import type { Situation } from './situation.ts'

const joined = '2026-03-01T10:00:00.000Z'
const at = (hours: number) => hoursAfter(joined, hours)

const listed = (more: Partial<Situation> = {}): Situation => ({
  status: 'ACTIVE',
  joinedAt: joined,
  lastSeenAt: joined,
  proofAllowedAt: null,
  proofSubmittedAt: null,
  dailyCheckIn: true,
  durationDays: 14,
  reviewHours: 72,
  atRiskHours: 48,
  dropHours: 72,
  atRisk: false,
  proofWarned: false,
  timeZone: 'UTC',
  lastCheckInDay: null,
  daysCheckedIn: 0,
  changesRequested: 0,
  cannotSignIn: false,
  frozenSince: null,
  consent: 'NONE',
  disputed: false,
  appealed: false,
  downtimes: [],
  accessMode: 'EMAIL_LIST',
  campaignStatus: 'LIVE',
  campaignClosedAt: null,
  appliedAt: null,
  listedAt: at(10),
  linkOpenedAt: null,
  noAccessAt: null,
  noAccessReports: 0,
  optedInAt: null,
  optedOutAt: null,
  optOuts: 0,
  contest: 'NONE',
  waitNoticesSent: 0,
  nudgedAt: null,
  ndaVersion: null,
  ndaJoined: null,
  ndaAccepted: null,
  ndaAcceptedAt: null,
  ndaLiftedAt: null,
  ...more,
})
const waiting = (more: Partial<Situation> = {}) => listed({ listedAt: null, ...more })
const optedIn = (more: Partial<Situation> = {}) =>
  listed({ optedInAt: at(20), proofAllowedAt: at(20 + 14 * 24), ...more })

describe('waiting for the list', () => {
  test.each([
    [47.99, 0, 'NOTHING', []],
    [48, 0, 'TELL_OF_WAITING', ['OWNER']],
    [48, 1, 'NOTHING', []],
    [119.99, 1, 'NOTHING', []],
    [120, 1, 'TELL_OF_WAITING', ['OWNER']],
    [167.99, 2, 'NOTHING', []],
    [168, 2, 'TELL_OF_WAITING', ['TESTER']],
    // After a long stop of the server everybody is told once.
    [200, 0, 'TELL_OF_WAITING', ['OWNER', 'TESTER']],
    [335.99, 3, 'NOTHING', []],
    [336, 3, 'END_WAITING', []],
  ] as const)('at %d hours, with %d notices sent: %s %j', (hours, waitNoticesSent, does, to) => {
    const waking = onWake(waiting({ waitNoticesSent }), at(hours))
    expect(waking.does).toBe(does)
    if (waking.does === 'TELL_OF_WAITING') expect(waking.to).toEqual(to)
  })

  test('leaving pays a day from the seventh day on, and only while waiting', () => {
    expect([167.99, 168].map(hours => leavesPaid(waiting(), at(hours)))).toEqual([false, true])
    expect(leavesPaid(listed(), at(200))).toBe(false)
    expect(leavesPaid(waiting({ optedOutAt: at(5) }), at(200))).toBe(false)
    expect(waitingPay({ payPerTesterCents: 1000, durationDays: 14 })).toBe(71)
  })

  test('nothing is due: no check-in, no proof, no risk', () => {
    expect(refusal('checkIn', waiting(), at(30))?.code).toBe('WRONG_STATE')
    expect(refusal('submitProof', waiting(), at(400))?.code).toBe('WRONG_STATE')
    expect(deadlineOf(waiting())).toBe(at(14 * 24))
  })
})

describe('whoever reported that Google Play does not let them in', () => {
  const reported = (more: Partial<Situation> = {}) =>
    waiting({ linkOpenedAt: at(12), noAccessAt: at(100), noAccessReports: 1, ...more })

  test('waits for the list anew, from the report', () => {
    expect([100 + 167.99, 100 + 168].map(hours => leavesPaid(reported(), at(hours)))).toEqual([false, true])
    expect(deadlineOf(reported())).toBe(at(100 + 336))
    expect(wakeAt(reported())).toBe(at(148))
    expect(onWake(reported(), at(148))).toMatchObject({ does: 'TELL_OF_WAITING', to: ['OWNER'] })
    expect(funnelOf(reported(), null)).toEqual({ step: 'JOINED', since: at(100) })
    expect(nextStepOf(reported(), at(101))).toBe('WAIT_FOR_LIST')
  })

  test('once on the list again, the opt-in is due from then on', () => {
    const again = reported({ listedAt: at(120) })
    expect(leavesPaid(again, at(500))).toBe(false)
    expect(deadlineOf(again)).toBe(at(192))
    expect(funnelOf(again, null)).toEqual({ step: 'LINK_OPENED', since: at(12) })
  })

  test('may report it again three hours after the list was confirmed anew, and not a third time', () => {
    const again = reported({ listedAt: at(120) })
    expect(mayReportNoAccessAt(again)).toBe(at(123))
    expect(refusal('reportNoAccess', again, at(122.99))?.code).toBe('TOO_EARLY')
    expect(refusal('reportNoAccess', again, at(123))).toBeNull()
    const twice = { ...again, noAccessReports: 2 }
    expect(mayReportNoAccessAt(twice)).toBeNull()
    expect(refusal('reportNoAccess', twice, at(200))?.code).toBe('LIMIT_REACHED')
  })

  test('the message names the hour in the tester’s time zone', () => {
    const early = refusal('reportNoAccess', reported({ listedAt: at(120), timeZone: 'America/New_York' }), at(121))
    expect(early?.message).toContain('(America/New_York)')
  })
})

describe('the opt-in is due', () => {
  test.each([
    ['from the listing', listed(), 10, 'NOT_OPTED_IN'],
    ['from the opt-out', listed({ optedOutAt: at(100), optOuts: 1 }), 100, 'OPTED_OUT'],
    ['from the void', listed({ optedOutAt: at(100) }), 100, 'NOT_OPTED_IN'],
    [
      'from a listing after the opt-out',
      listed({ listedAt: at(150), optedOutAt: at(100), optOuts: 1 }),
      150,
      'OPTED_OUT',
    ],
  ] as const)('%s: warned at 48 hours, dropped at 72', (_since, situation, from, reason) => {
    expect(wakeAt(situation)).toBe(at(from + 48))
    expect(onWake(situation, at(from + 47.99))).toEqual({ does: 'NOTHING' })
    expect(onWake(situation, at(from + 48))).toMatchObject({ does: 'WARN', warnings: [{ of: 'OPT_IN' }] })
    const warned = { ...situation, atRisk: true }
    expect(wakeAt(warned)).toBe(at(from + 72))
    expect(onWake(warned, at(from + 72))).toEqual({ does: 'DROP', reason })
  })

  test('after a request for changes from that request, so nobody is dropped for a time under review', () => {
    const asked = listed({ status: 'CHANGES_REQUESTED', optedOutAt: at(100), optOuts: 1, lastSeenAt: at(400) })
    expect(deadlineOf(asked)).toBe(at(472))
    expect(onWake(asked, at(472))).toEqual({ does: 'DROP', reason: 'OPTED_OUT' })
    expect(refusal('submitProof', asked, at(410))?.code).toBe('WRONG_STATE')
  })

  test.each([
    [
      'out since before',
      listed({ status: 'CHANGES_REQUESTED', optedOutAt: at(100), optOuts: 1, lastSeenAt: at(400) }),
      ['OPT_IN'],
    ],
    ['in since', optedIn({ status: 'CHANGES_REQUESTED', optedInAt: at(410), lastSeenAt: at(400) }), ['PROOF']],
    [
      'warned before they were out',
      listed({ status: 'CHANGES_REQUESTED', optedOutAt: at(449), optOuts: 1, lastSeenAt: at(400), proofWarned: true }),
      [],
    ],
    [
      'out later, not warned',
      listed({ status: 'CHANGES_REQUESTED', optedOutAt: at(430), optOuts: 1, lastSeenAt: at(400) }),
      ['PROOF'],
    ],
  ] as const)('after a request for changes one is warned 48 hours after it: %s', (_who, asked, of) => {
    const waking = onWake(asked, at(450))
    expect(waking.does === 'WARN' ? waking.warnings : []).toEqual(
      of.map(each => ({ of: each, at: at(448), dropsAt: at(472) })),
    )
  })

  test('not under review, and not in a cancelled campaign', () => {
    const out = { optedOutAt: at(100), optOuts: 1 }
    expect(onWake(listed({ ...out, status: 'SUBMITTED', proofSubmittedAt: at(400) }), at(450)).does).toBe('NOTHING')
    const cancelled = listed({ ...out, status: 'CHANGES_REQUESTED', campaignStatus: 'CANCELLED', lastSeenAt: at(400) })
    expect(onWake(cancelled, at(472))).toEqual({ does: 'DROP', reason: 'NO_PROOF' })
    expect(refusal('submitProof', cancelled, at(410))).toBeNull()
  })
})

test('a check-in is due from the start of the run or the last sign of life, whichever is later', () => {
  expect(wakeAt(optedIn())).toBe(at(68))
  expect(onWake(optedIn({ atRisk: true }), at(92))).toEqual({ does: 'DROP', reason: 'NO_CHECK_IN' })
  expect(wakeAt(optedIn({ lastSeenAt: at(60) }))).toBe(at(108))
  expect(wakeAt(optedIn({ lastSeenAt: at(5), optedInAt: at(90) }))).toBe(at(138))
})

test('every stored wake-up of a closed test leads to a change', () => {
  for (const base of [
    waiting(),
    waiting({ noAccessAt: at(20), noAccessReports: 1 }),
    listed(),
    listed({ optedOutAt: at(50), optOuts: 1 }),
    optedIn(),
  ])
    for (const status of ['ACTIVE', 'CHANGES_REQUESTED', 'SUBMITTED'] as const)
      for (const atRisk of [true, false])
        for (const waitNoticesSent of [0, 1, 2, 3]) {
          const now = { ...base, status, atRisk, waitNoticesSent, proofSubmittedAt: at(60) }
          expect([now, onWake(now, wakeAt(now)!).does]).not.toEqual([now, 'NOTHING'])
        }
})

describe('the next step', () => {
  test.each([
    ['waiting', waiting(), 'WAIT_FOR_LIST', 'JOINED'],
    ['listed', listed(), 'OPEN_LINK', 'LISTED'],
    ['link opened', listed({ linkOpenedAt: at(12) }), 'OPT_IN', 'LINK_OPENED'],
    ['out again', listed({ optedOutAt: at(50), optOuts: 1 }), 'OPT_IN', 'LINK_OPENED'],
    ['opted in', optedIn(), 'CHECK_IN', 'OPTED_IN'],
    ['checked in today', optedIn({ lastCheckInDay: '2026-03-03' }), null, 'OPTED_IN'],
    ['proof due', optedIn({ proofAllowedAt: at(40) }), 'PROOF', 'OPTED_IN'],
    ['changes requested', optedIn({ status: 'CHANGES_REQUESTED' }), 'PROOF', 'OPTED_IN'],
    ['verified', optedIn({ status: 'VERIFIED' }), 'STAY', 'OPTED_IN'],
    ['verified and out', listed({ status: 'VERIFIED', optedOutAt: at(45), optOuts: 1 }), 'OPT_IN', 'LINK_OPENED'],
    ['verified, applied', optedIn({ status: 'VERIFIED', appliedAt: at(45) }), null, 'OPTED_IN'],
    ['dropped', listed({ status: 'DROPPED' }), null, 'LISTED'],
  ] as const)('%s', (_name, situation, step, funnel) => {
    expect(nextStepOf(situation, at(48))).toBe(step)
    expect(funnelOf(situation, null)?.step).toBe(funnel)
  })

  /** From March 2, 8 pm: the proof opens on March 16, 8 pm. */
  test.each([
    ['on its last day', 14 * 24 - 24, {}, 'CHECK_IN'],
    ['after it, with a check-in on each', 14 * 24 - 12, {}, null],
    ['after it, with one day missing', 14 * 24 - 12, { daysCheckedIn: 13 }, 'CHECK_IN'],
    ['after it, about to lose the seat', 14 * 24 - 12, { atRisk: true }, 'CHECK_IN'],
    ['after it, as before it where none are asked for', 14 * 24 - 12, { dailyCheckIn: false }, null],
    ['in an opt-in after 14 days of an earlier one', 5 * 24, {}, 'CHECK_IN'],
  ] as const)('a test of 14 days asks for a check-in or not: %s', (_when, hours, more, step) => {
    const situation = optedIn({ optedInAt: at(34), proofAllowedAt: at(34 + 14 * 24), daysCheckedIn: 14, ...more })
    const lastCheckInDay = dayAfter(dayIn('UTC', at(34 + hours)), -1)
    expect(nextStepOf({ ...situation, lastCheckInDay }, at(34 + hours))).toBe(step)
  })

  test('testers are asked to stay until 14 days after the campaign’s end', () => {
    const over = optedIn({ status: 'VERIFIED', campaignStatus: 'COMPLETED', campaignClosedAt: at(0) })
    expect([14 * 24 - 0.01, 14 * 24].map(hours => mustStay(over, at(hours)))).toEqual([true, false])
  })
})

test.each([
  ['waiting', waiting(), ['openLink', 'optIn', 'leave'], [], []],
  ['listed', listed(), ['openLink', 'optIn', 'leave'], ['nudge'], []],
  ['kept out', listed({ linkOpenedAt: at(12) }), ['openLink', 'reportNoAccess', 'optIn', 'leave'], ['nudge'], []],
  ['opted in', optedIn(), ['openLink', 'optIn', 'optOut', 'checkIn', 'leave'], ['nudge', 'contestOptIn'], []],
  [
    'contested',
    optedIn({ contest: 'OPEN' }),
    ['openLink', 'optIn', 'optOut', 'checkIn', 'leave'],
    ['nudge'],
    ['decideOptIn'],
  ],
  [
    'cleared',
    optedIn({ contest: 'ENDED', nudgedAt: at(47) }),
    ['openLink', 'optIn', 'optOut', 'checkIn', 'leave'],
    [],
    [],
  ],
  ['verified', optedIn({ status: 'VERIFIED' }), ['openLink', 'optIn', 'optOut'], ['contestOptIn'], []],
  ['dropped', listed({ status: 'DROPPED' }), [], [], []],
] as const)('%s: what tester, developer and admin may do', (_name, situation, tester, developer, admin) => {
  expect(allowedActions('TESTER', situation, at(48))).toEqual(tester)
  expect(allowedActions('DEVELOPER', situation, at(48))).toEqual(developer)
  expect(allowedActions('ADMIN', situation, at(48))).toEqual(admin)
})
