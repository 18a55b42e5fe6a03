import { describe, expect, test } from 'vitest'
import { hoursAfter } from '../kit/clock.ts'
import { type Role, roles } from '../kit/roles.ts'
import { atRiskHours, dropHours, reviewHours } from '../settings/terms.ts'
import type { ParticipationAction, ParticipationStatus } from './contract.ts'
import { participationActions } from './terms.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'
import { deadlineOf, onWake, wakeAt } from './deadlines.ts'
import { aliasOf, allowedActions, daysDone, givesSeatBack, lifecycle, proofAllowedFrom, refusal } from './rules.ts'
import { checkedInToday, openStatuses, type Situation } from './situation.ts'

const joined = '2026-03-01T10:00:00.000Z'
const at = (hours: number) => hoursAfter(joined, hours)
const days = 14
const proofDay = days * 24

const situation = (more: Partial<Situation> = {}): Situation => ({
  status: 'ACTIVE',
  joinedAt: joined,
  lastSeenAt: joined,
  proofAllowedAt: proofAllowedFrom(joined, days),
  proofSubmittedAt: null,
  dailyCheckIn: true,
  durationDays: 14,
  reviewHours,
  atRiskHours,
  dropHours,
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
  accessMode: 'OPEN_LINK',
  campaignStatus: 'LIVE',
  campaignClosedAt: null,
  appliedAt: null,
  listedAt: null,
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

describe('days completed', () => {
  const spans = [{ startedAt: joined, endedAt: null }]
  const test14 = { dailyCheckIn: true, checkIns: 3, spans, durationDays: days }
  const without = { ...test14, dailyCheckIn: false }

  test('are the check-ins, capped at the campaign’s days, however much time has passed', () => {
    expect(daysDone(test14, at(24 * 9))).toBe(3)
    expect(daysDone({ ...test14, checkIns: 15 }, at(1))).toBe(days)
  })

  test('are full 24-hour periods since joining when no daily check-in is required, capped at the campaign’s days', () => {
    for (const [hours, done] of [
      [-1, 0],
      [0, 0],
      [23.99, 0],
      [24, 1],
      [47.99, 1],
      [24 * 13.5, 13],
      [24 * 14, 14],
      [24 * 20, 14],
    ] as const)
      expect([hours, daysDone(without, at(hours))]).toEqual([hours, done])
  })

  test('are full 24-hour periods of all runs together where days count from the opt-in', () => {
    const runs = [
      { startedAt: at(0), endedAt: at(36) },
      { startedAt: at(50), endedAt: at(62) },
      { startedAt: at(100), endedAt: null },
    ]
    expect(daysDone({ ...without, spans: runs }, at(100))).toBe(2)
    expect(daysDone({ ...without, spans: runs }, at(123.99))).toBe(2)
    expect(daysDone({ ...without, spans: runs }, at(124))).toBe(3)
    expect(daysDone({ ...without, spans: [] }, at(124))).toBe(0)
  })
})

test('changes can be requested three times at most; then the proof must be verified or rejected', () => {
  const now = situation({ status: 'SUBMITTED', proofSubmittedAt: at(proofDay) })
  for (const changesRequested of [0, 1, 2])
    expect(refusal('requestChanges', { ...now, changesRequested }, at(proofDay))).toBeNull()
  const after = { ...now, changesRequested: 3 }
  expect(refusal('requestChanges', after, at(proofDay))).toMatchObject({ code: 'WRONG_STATE' })
  expect(allowedActions('ADMIN', after, at(proofDay))).toEqual(['verify', 'reject'])
})

test.each([
  ['EMAIL_LIST', 'to the list in Play Console.'],
  ['GOOGLE_GROUP', 'to your Google Group.'],
] as const)('whoever waits for the developer is not reminded, who reads where to add them: %s', (accessMode, where) => {
  const waiting = situation({ accessMode, proofAllowedAt: null })
  expect(refusal('nudge', waiting, at(1))?.message).toContain(where)
  const keptOut = { ...waiting, noAccessAt: at(0), noAccessReports: 1 }
  expect(refusal('nudge', keptOut, at(1))?.message).toContain('has reported that Google Play does not let them in')
})

test('a refusal names only what is still possible', () => {
  const submitted = situation({ status: 'SUBMITTED', proofSubmittedAt: at(proofDay) })
  const said = (action: 'requestChanges' | 'reject', more: Partial<Situation>) =>
    refusal(action, { ...submitted, ...more }, at(proofDay), 'DEVELOPER')?.message
  const thrice = { changesRequested: 3 }
  expect(said('requestChanges', thrice)).toContain('Verify or reject this proof.')
  for (const more of [{ disputed: true }, { consent: 'WAITING' }, { consent: 'REFUSED' }] as const) {
    expect(said('requestChanges', { ...thrice, ...more })).toContain('Verify this proof.')
    expect(said('reject', { ...thrice, ...more })).not.toContain('changes')
  }
  for (const more of [{ disputed: true }, { consent: 'REFUSED' }] as const) {
    expect(said('reject', more)).toContain(', or request changes')
    expect(said('reject', { ...more, cannotSignIn: true })).not.toContain('changes')
  }
  expect(said('requestChanges', { cannotSignIn: true })).toBe(
    'This tester’s account is suspended, so nobody can change the proof. Verify or reject this proof.',
  )
})

describe('the lifecycle', () => {
  /** product.md §3, written down a second time: for a tester whose days are over, and who has not checked in today. */
  const allowed: Record<ParticipationStatus, Record<Role, ParticipationAction[]>> = {
    // Who is on the bench may also leave it (server/bench.ts).
    WAITLISTED: { TESTER: ['acceptSeat'], DEVELOPER: [], ADMIN: [] },
    ACTIVE: { TESTER: ['checkIn', 'submitProof', 'leave'], DEVELOPER: ['nudge'], ADMIN: [] },
    SUBMITTED: {
      TESTER: [],
      DEVELOPER: ['verify', 'requestChanges', 'reject'],
      ADMIN: ['verify', 'requestChanges', 'reject'],
    },
    CHANGES_REQUESTED: { TESTER: ['submitProof', 'leave'], DEVELOPER: ['nudge'], ADMIN: [] },
    VERIFIED: { TESTER: [], DEVELOPER: [], ADMIN: [] },
    // Final. An appeal is possible before that, see below.
    REJECTED: { TESTER: [], DEVELOPER: [], ADMIN: [] },
    APPEALED: { TESTER: [], DEVELOPER: [], ADMIN: ['decideAppeal'] },
    DROPPED: { TESTER: [], DEVELOPER: [], ADMIN: [] },
    CANCELLED: { TESTER: [], DEVELOPER: [], ADMIN: [] },
  }

  test.each(participationStatuses)(
    'in %s tester, developer and admin may do what product.md §3 says, and nothing else',
    status => {
      const now = situation({ status })
      for (const by of roles) {
        expect(allowedActions(by, now, at(proofDay))).toEqual(allowed[status][by])
        for (const action of participationActions.filter(name => lifecycle[name].by.includes(by))) {
          const code = refusal(action, now, at(proofDay))?.code
          // The call answers, but is not offered.
          if (action !== 'openLink') expect(code).toBe(allowed[status][by].includes(action) ? undefined : 'WRONG_STATE')
        }
      }
    },
  )

  /** Possible after the verdict too, and without an effect on it. */
  const ofTheRun = new Set(['openLink', 'acceptNda', 'optIn', 'optOut', 'nudge', 'contestOptIn', 'decideOptIn'])

  test('a state is open exactly as long as somebody can act or a deadline is pending', () => {
    const steps = Object.entries(lifecycle).filter(([action]) => !ofTheRun.has(action))
    // A place on the bench has no test yet: its offer ends by bench.ts.
    for (const status of participationStatuses.filter(name => name !== 'WAITLISTED')) {
      const frozen = status === 'REJECTED' || status === 'APPEALED'
      const isOpen = frozen || openStatuses.some(open => open === status)
      const now = situation({ status, proofSubmittedAt: joined, frozenSince: status === 'REJECTED' ? joined : null })
      expect(steps.some(([, step]) => step.from.includes(status))).toBe(isOpen)
      // An appeal waits for an admin, however long.
      expect(deadlineOf(now) !== null).toBe(isOpen && status !== 'APPEALED')
      expect(wakeAt(now) !== null).toBe(isOpen && status !== 'APPEALED')
    }
  })

  test('an opt-out gives the seat back only while the days or the proof are still to come', () => {
    expect(participationStatuses.filter(status => givesSeatBack({ status }))).toEqual(['ACTIVE', 'CHANGES_REQUESTED'])
  })

  describe('a rejection', () => {
    const rejected = (more: Partial<Situation> = {}) =>
      situation({ status: 'REJECTED', frozenSince: joined, proofSubmittedAt: joined, ...more })

    test('may be appealed against for 72 hours, to the millisecond, and is final then', () => {
      const last = '2026-03-04T09:59:59.999Z'
      expect(allowedActions('TESTER', rejected(), last)).toEqual(['appeal'])
      expect(onWake(rejected(), last)).toEqual({ does: 'NOTHING' })
      expect(refusal('appeal', rejected(), at(72))?.message).toContain('72 hours')
      expect(onWake(rejected(), at(72))).toEqual({ does: 'END_REJECTION' })
      expect(wakeAt(rejected())).toBe(at(72))
    })

    test('is appealed against once: a second appeal is refused while the first waits, and after its decision', () => {
      const again = refusal('appeal', rejected({ status: 'APPEALED', frozenSince: null, appealed: true }), at(1))
      expect(again?.message).toBe('You have appealed this rejection. An admin will decide.')
      const decided = refusal('appeal', rejected({ frozenSince: null, appealed: true }), at(1))
      expect(decided?.message).toContain('the decision is final')
    })
  })

  test('a proof is refused a millisecond early, and the message names the date in the tester’s time zone', () => {
    const now = situation({ timeZone: 'America/New_York' })
    const early = refusal('submitProof', now, '2026-03-15T09:59:59.999Z')
    expect(early?.code).toBe('TOO_EARLY')
    // 5 a.m. before, 6 a.m. after the clocks moved on 8 March.
    expect(early?.message).toContain('March 15, 2026 at 6:00')
    expect(early?.message).toContain('(America/New_York)')
    expect(refusal('submitProof', now, '2026-03-15T10:00:00.000Z')).toBeNull()
  })

  test('after changes were requested, the proof is accepted on any day', () => {
    expect(refusal('submitProof', situation({ status: 'CHANGES_REQUESTED' }), at(1))).toBeNull()
  })
})

describe('calendar days are counted in the tester’s time zone', () => {
  test.each([
    // Auckland is 13 hours ahead in March, 12 from 5 April on.
    ['Pacific/Auckland', '2026-03-10', '2026-03-10T10:59:00.000Z', true],
    ['Pacific/Auckland', '2026-03-10', '2026-03-10T11:00:00.000Z', false],
    ['Pacific/Auckland', '2026-04-05', '2026-04-05T11:59:00.000Z', true],
    ['Pacific/Auckland', '2026-04-05', '2026-04-05T12:00:00.000Z', false],
    // Los Angeles is 8 hours behind until 8 March, then 7: the 8th has 23 hours, 1 November has 25.
    ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z', true],
    ['America/Los_Angeles', '2026-03-08', '2026-03-09T06:59:59.999Z', true],
    ['America/Los_Angeles', '2026-03-08', '2026-03-09T07:00:00.000Z', false],
    ['America/Los_Angeles', '2026-11-01', '2026-11-02T07:59:59.999Z', true],
    ['America/Los_Angeles', '2026-11-01', '2026-11-02T08:00:00.000Z', false],
    // Taken by a server whose clock is ahead.
    ['UTC', '2026-03-11', '2026-03-10T23:59:59.000Z', true],
  ])('in %s, checked in on %s, at %s: already checked in is %s', (timeZone, lastCheckInDay, now, already) => {
    const seen = situation({ timeZone, lastCheckInDay })
    expect(checkedInToday(seen, now)).toBe(already)
    expect(refusal('checkIn', seen, now)?.code).toBe(already ? 'ALREADY_CHECKED_IN' : undefined)
  })

  test('a reminder from a server whose clock is ahead is today’s, so that midnight brings no second one', () => {
    const reminded = situation({ nudgedAt: '2026-03-11T00:00:01.000Z' })
    expect(refusal('nudge', reminded, '2026-03-10T23:59:59.000Z')?.code).toBe('LIMIT_REACHED')
    expect(refusal('nudge', reminded, '2026-03-12T00:00:00.000Z')).toBeNull()
  })
})

describe('what happens at deadlines', () => {
  test('a silent tester is warned at 48 hours and dropped at 72, not a millisecond earlier', () => {
    const silent = situation()
    expect(wakeAt(silent)).toBe(at(48))
    expect(deadlineOf(silent)).toBe(at(72))
    expect(onWake(silent, at(48 - 1e-6))).toEqual({ does: 'NOTHING' })
    expect(onWake(silent, at(48))).toEqual({
      does: 'WARN',
      warnings: [{ of: 'CHECK_IN', at: at(48), dropsAt: at(72) }],
    })
    const warned = { ...silent, atRisk: true }
    expect(wakeAt(warned)).toBe(at(72))
    expect(onWake(warned, at(71.99))).toEqual({ does: 'NOTHING' })
    expect(onWake(warned, at(72))).toEqual({ does: 'DROP', reason: 'NO_CHECK_IN' })
  })

  test('a check-in restarts the 48 hours', () => {
    const seen = situation({ lastSeenAt: at(47) })
    expect(wakeAt(seen)).toBe(at(95))
    expect(onWake(seen, at(72))).toEqual({ does: 'NOTHING' })
  })

  const proofLate = {
    does: 'WARN',
    warnings: [{ of: 'PROOF', at: at(proofDay + 48), dropsAt: at(proofDay + 72) }],
  }

  test('without daily check-in only the proof is due: a warning after 48 hours, a drop after 72', () => {
    const quiet = situation({ dailyCheckIn: false })
    expect(wakeAt(quiet)).toBe(at(proofDay + 48))
    expect(onWake(quiet, at(proofDay + 48 - 1e-6))).toEqual({ does: 'NOTHING' })
    expect(onWake(quiet, at(proofDay + 48))).toEqual(proofLate)
    const warned = { ...quiet, proofWarned: true }
    expect(wakeAt(warned)).toBe(at(proofDay + 72))
    expect(onWake(warned, at(proofDay + 71))).toEqual({ does: 'NOTHING' })
    expect(onWake(warned, at(proofDay + 72))).toEqual({ does: 'DROP', reason: 'NO_PROOF' })
  })

  test('a tester who keeps checking in without submitting a proof is warned 24 hours before losing the seat, and no check-in prevents it', () => {
    const faithful = situation({ lastSeenAt: at(proofDay + 40) })
    expect(onWake(faithful, at(proofDay + 48))).toEqual(proofLate)
    const warned = { ...faithful, proofWarned: true, lastSeenAt: at(proofDay + 71) }
    expect([wakeAt(warned), deadlineOf(warned)]).toEqual([at(proofDay + 72), at(proofDay + 72)])
    expect(onWake(warned, at(proofDay + 72))).toEqual({ does: 'DROP', reason: 'NO_PROOF' })
  })

  test('nobody is told to check in when only a proof can save the seat', () => {
    const seen = situation({ lastSeenAt: at(proofDay + 1), proofWarned: true })
    expect(onWake(seen, at(proofDay + 49))).toEqual({ does: 'NOTHING' })
    const before = situation({ lastSeenAt: at(proofDay - 10), proofWarned: true })
    expect(onWake(before, at(proofDay + 38))).toMatchObject({ does: 'WARN', warnings: [{ of: 'CHECK_IN' }] })
  })

  test('72 hours without a review verify the proof; 72 hours without a new proof drop the tester', () => {
    const submitted = situation({ status: 'SUBMITTED', proofSubmittedAt: at(400), lastSeenAt: at(400) })
    expect(onWake(submitted, at(471.99))).toEqual({ does: 'NOTHING' })
    expect(onWake(submitted, at(472))).toEqual({ does: 'VERIFY' })
    const asked = situation({ status: 'CHANGES_REQUESTED', lastSeenAt: at(410), proofWarned: true })
    expect(onWake(asked, at(481.99))).toEqual({ does: 'NOTHING' })
    expect(onWake(asked, at(482))).toEqual({ does: 'DROP', reason: 'NO_PROOF' })
  })

  test('the campaign’s own hours count, not the defaults', () => {
    const own = situation({ reviewHours: 10, atRiskHours: 20, dropHours: 30 })
    expect([wakeAt(own), deadlineOf(own)]).toEqual([at(20), at(30)])
    expect(onWake(own, at(30))).toEqual({ does: 'DROP', reason: 'NO_CHECK_IN' })
    const submitted = { ...own, status: 'SUBMITTED', proofSubmittedAt: at(400) } as const
    expect(deadlineOf(submitted)).toBe(at(410))
    expect(deadlineOf({ ...own, status: 'CHANGES_REQUESTED', lastSeenAt: at(400) })).toBe(at(430))
    expect(deadlineOf({ ...own, dailyCheckIn: false })).toBe(at(proofDay + 30))
  })

  test('every stored wake-up time leads to a change, so no row is woken forever for nothing', () => {
    for (const status of openStatuses)
      for (const dailyCheckIn of [true, false])
        for (const atRisk of [true, false])
          for (const proofWarned of [true, false])
            for (const seen of [0, 100, proofDay, proofDay + 40]) {
              const seenAt = { lastSeenAt: at(seen), proofSubmittedAt: at(seen) }
              const now = situation({ status, dailyCheckIn, atRisk, proofWarned, ...seenAt })
              expect(onWake(now, wakeAt(now)!).does).not.toBe('NOTHING')
            }
  })
})

test('the developer sees an alias and no name', () => expect(aliasOf(7)).toBe('Tester 7'))
