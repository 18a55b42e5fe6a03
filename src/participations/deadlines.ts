/**
 * What happens to a test if nobody acts: warnings, drops, verification, and the end of waiting. Time during which the
 * product was down or paused does not count (decision 045). Pure.
 */
import type { Instant } from '../kit/clock.ts'
import { type Downtime, hoursAfterDowntimes } from '../kit/downtimes.ts'
import { type Cents, proRata } from '../kit/money.ts'
import { type Beginning, begunAt, isOut, latest, mustAcceptNda, type Situation, waitsForList } from './situation.ts'
import { doorIsClosed } from '../nda/rules.ts'
import { appealHours, waitingEndsDays, waitingMayLeaveDays } from './terms.ts'

const earliest = (instants: readonly Instant[]): Instant => instants.reduce((a, b) => (a < b ? a : b))

/** Who is told that a tester still waits to be put on the list, by hours since joining. */
const waitNotices = [
  { to: 'OWNER', afterHours: 48 },
  // At the beginning of day 6 (decision 027): after day 7 the tester may leave with a day's pay.
  { to: 'OWNER', afterHours: 5 * 24 },
  { to: 'TESTER', afterHours: waitingMayLeaveDays * 24 },
] as const

export const waitNoticesInAll = waitNotices.length

/** When the first notice is due. */
export const firstNoticeHours = waitNotices[0].afterHours

type Waiting = Beginning & Pick<Situation, 'noAccessAt' | 'downtimes'>

/**
 * Nobody is listed before the test has begun. A tester who reports that Google Play does not let them in starts waiting again. In
 * SQL: waits_since.
 */
export const waitingSince = (test: Omit<Waiting, 'downtimes'>): Instant =>
  latest(begunAt(test) ?? test.joinedAt, test.noAccessAt)

/** The earliest time at which a waiting tester may leave with one day's pay. */
export const mayLeavePaidAt = (situation: Waiting): Instant =>
  hoursAfterDowntimes(waitingSince(situation), waitingMayLeaveDays * 24, situation.downtimes)

export const leavesPaid = (situation: Situation, now: Instant): boolean =>
  waitsForList(situation) && now >= mayLeavePaidAt(situation)

/** When a waiting tester's test ends by itself, with one day's pay. */
export const waitingEndsAt = (situation: Waiting): Instant =>
  hoursAfterDowntimes(waitingSince(situation), waitingEndsDays * 24, situation.downtimes)

/** One day of the campaign's pay, as the SQL function close_waiting_seat pays it. */
export const waitingPay = (campaign: { payPerTesterCents: Cents; durationDays: number }): Cents =>
  proRata(campaign.payPerTesterCents, 1, campaign.durationDays)

/** The opt-in is due only from when it was possible, and not before the changes were requested. */
const outSince = ({ status, joinedAt, listedAt, optedOutAt, lastSeenAt }: Situation): Instant =>
  latest(joinedAt, listedAt, optedOutAt, status === 'CHANGES_REQUESTED' ? lastSeenAt : null)

/** The end of the time to appeal. Without an appeal the seat is then free. */
export const appealEndsAt = (rejectedAt: Instant, downtimes: readonly Downtime[] = []): Instant =>
  hoursAfterDowntimes(rejectedAt, appealHours, downtimes)

/** This many hours after an instant, leaving out downtimes as all deadlines of this test do. */
const reckonedFor =
  ({ downtimes }: Pick<Situation, 'downtimes'>) =>
  (since: Instant, hours: number): Instant =>
    hoursAfterDowntimes(since, hours, downtimes)

type Wait = { for: 'CHECK_IN' | 'PROOF' | 'OPT_IN' | 'NDA'; since: Instant; warned: boolean }

/**
 * What a test waits for. While ACTIVE: the NDA that joining required, then the opt-in, or else the next check-in, if the campaign
 * requires check-ins, and the proof. While CHANGES_REQUESTED: the opt-in, and the new proof. Each of them brings a warning after
 * `atRiskHours`, and the tester is dropped after `dropHours`.
 */
const waitsOf = (situation: Situation): Wait[] => {
  const { status, lastSeenAt, optedInAt, proofAllowedAt, dailyCheckIn, atRisk, proofWarned } = situation
  if (mustAcceptNda(situation)) return [{ for: 'NDA', since: situation.joinedAt, warned: atRisk }]
  const optIn: Wait[] = isOut(situation) ? [{ for: 'OPT_IN', since: outSince(situation), warned: atRisk }] : []
  if (status === 'CHANGES_REQUESTED') {
    // A tester who was opted out before the request is warned about the opt-in, which comes first and is due at the same time.
    const optInFirst = optIn.some(({ since }) => since === lastSeenAt)
    return [...optIn, { for: 'PROOF', since: lastSeenAt, warned: proofWarned || optInFirst }]
  }
  if (status !== 'ACTIVE' || optIn.length > 0) return optIn
  return [
    ...(dailyCheckIn ? [{ for: 'CHECK_IN', since: latest(optedInAt, lastSeenAt), warned: atRisk } as const] : []),
    ...(proofAllowedAt === null ? [] : [{ for: 'PROOF', since: proofAllowedAt, warned: proofWarned } as const]),
  ]
}

/**
 * When the next deadline passes. A tester is dropped after `dropHours` without a check-in, an opt-in, or a proof that is due; a
 * proof is verified after `reviewHours` without a review; the test of a tester who was not put on the list ends after
 * `waitingEndsDays`; a rejection is final after `appealHours` without an appeal.
 */
export const deadlineOf = (situation: Situation): Instant | null => {
  const after = reckonedFor(situation)
  switch (situation.status) {
    case 'ACTIVE':
    case 'CHANGES_REQUESTED':
      if (waitsForList(situation)) return waitingEndsAt(situation)
      return after(earliest(waitsOf(situation).map(wait => wait.since)), situation.dropHours)
    case 'SUBMITTED':
      return after(situation.proofSubmittedAt ?? situation.lastSeenAt, situation.reviewHours)
    case 'REJECTED':
      return situation.frozenSince === null ? null : appealEndsAt(situation.frozenSince, situation.downtimes)
    case 'WAITLISTED':
    case 'VERIFIED':
    case 'APPEALED':
    case 'DROPPED':
    case 'CANCELLED':
      return null
  }
}

/** When the proof is due at the latest; a check-in may be due earlier. */
export const proofDueAt = (situation: Situation): Instant | null => {
  if (situation.status !== 'ACTIVE' && situation.status !== 'CHANGES_REQUESTED') return null
  const wait = waitsOf(situation).find(({ for: what }) => what === 'PROOF')
  return wait ? reckonedFor(situation)(wait.since, situation.dropHours) : null
}

export type Warning = { of: Wait['for']; at: Instant; dropsAt: Instant }

/** A missing check-in is warned about only while a check-in would help: not once the proof is due. */
const warnsOf = (wait: Wait, { proofAllowedAt }: Situation): boolean =>
  !wait.warned && (wait.for !== 'CHECK_IN' || proofAllowedAt === null || wait.since <= proofAllowedAt)

/** Warnings that are still to be sent. */
const warningsAhead = (situation: Situation): Warning[] => {
  if (situation.status !== 'ACTIVE' && situation.status !== 'CHANGES_REQUESTED') return []
  if (waitsForList(situation)) return []
  const after = reckonedFor(situation)
  const waits = waitsOf(situation)
  // The seat is lost at the nearest deadline, whatever the warning is about.
  const dropsAt = after(earliest(waits.map(wait => wait.since)), situation.dropHours)
  return waits
    .filter(wait => warnsOf(wait, situation))
    .map(wait => ({ of: wait.for, at: after(wait.since, situation.atRiskHours), dropsAt }))
}

/** A tester who has not accepted the NDA cannot be put on the list, so the owner is told of them only once they have. */
const noticesAhead = (situation: Situation): { to: 'OWNER' | 'TESTER'; at: Instant; number: number }[] => {
  if (!waitsForList(situation)) return []
  const after = reckonedFor(situation)
  return waitNotices
    .map(({ to, afterHours }, index) => ({ to, at: after(waitingSince(situation), afterHours), number: index + 1 }))
    .filter(({ to, number }) => number > situation.waitNoticesSent && (to === 'TESTER' || !doorIsClosed(situation)))
}

/** When `onWake` has to run next: for a warning or a notice, otherwise for the deadline. */
export const wakeAt = (situation: Situation): Instant | null => {
  const deadline = deadlineOf(situation)
  if (deadline === null) return null
  return earliest([deadline, ...[...warningsAhead(situation), ...noticesAhead(situation)].map(({ at }) => at)])
}

type DeadlineDrop = 'NDA_NOT_ACCEPTED' | 'NO_CHECK_IN' | 'NO_PROOF' | 'NOT_OPTED_IN' | 'OPTED_OUT'

export type Waking =
  | { does: 'NOTHING' }
  | { does: 'WARN'; warnings: Warning[] }
  /** A notice that the tester still waits to be listed is due; `sent` is the new `waitNoticesSent`. */
  | { does: 'TELL_OF_WAITING'; to: ('OWNER' | 'TESTER')[]; sent: number }
  | { does: 'DROP'; reason: DeadlineDrop }
  | { does: 'END_WAITING' }
  | { does: 'END_REJECTION' }
  | { does: 'VERIFY' }

const dropReasonOf = (situation: Situation, now: Instant): DeadlineDrop => {
  const due = waitsOf(situation)
    .filter(({ since }) => now >= reckonedFor(situation)(since, situation.dropHours))
    .map(wait => wait.for)
  if (due.includes('NDA')) return 'NDA_NOT_ACCEPTED'
  if (due.includes('OPT_IN')) return situation.optOuts === 0 ? 'NOT_OPTED_IN' : 'OPTED_OUT'
  return due.includes('CHECK_IN') ? 'NO_CHECK_IN' : 'NO_PROOF'
}

/** What is due now. */
export const onWake = (situation: Situation, now: Instant): Waking => {
  const deadline = deadlineOf(situation)
  if (deadline === null) return { does: 'NOTHING' }
  if (now >= deadline) {
    if (situation.status === 'SUBMITTED') return { does: 'VERIFY' }
    if (situation.status === 'REJECTED') return { does: 'END_REJECTION' }
    if (waitsForList(situation)) return { does: 'END_WAITING' }
    return { does: 'DROP', reason: dropReasonOf(situation, now) }
  }
  const warnings = warningsAhead(situation).filter(({ at }) => now >= at)
  if (warnings.length > 0) return { does: 'WARN', warnings }
  const notices = noticesAhead(situation).filter(({ at }) => now >= at)
  if (notices.length === 0) return { does: 'NOTHING' }
  return {
    does: 'TELL_OF_WAITING',
    to: [...new Set(notices.map(({ to }) => to))],
    sent: Math.max(...notices.map(({ number }) => number)),
  }
}
