/**
 * The rules of a participation (product.md §3): who may do what when, which devices are eligible, and what happens at a
 * deadline. Pure; shared by the server and the screens.
 */
import { countryName } from '../kit/countries.ts'
import { dayIn, daysAfter, hoursAfter, hoursBetween, type Day, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import type { Platform } from '../campaigns/contract.ts'
import { platformNames } from '../campaigns/terms.ts'
import type { DeviceInfo, ParticipationAction, ParticipationStatus } from './contract.ts'
import { maxChangeRequests } from './terms.ts'

export const openStatuses = [
  'ACTIVE',
  'SUBMITTED',
  'CHANGES_REQUESTED',
] as const satisfies readonly ParticipationStatus[]

type Step = { by: 'TESTER' | 'REVIEWER'; from: readonly ParticipationStatus[]; verb: string }

export const lifecycle: Record<ParticipationAction, Step> = {
  checkIn: { by: 'TESTER', from: ['ACTIVE'], verb: 'check in to' },
  submitProof: { by: 'TESTER', from: ['ACTIVE', 'CHANGES_REQUESTED'], verb: 'submit a proof for' },
  leave: { by: 'TESTER', from: ['ACTIVE', 'CHANGES_REQUESTED'], verb: 'leave' },
  verify: { by: 'REVIEWER', from: ['SUBMITTED'], verb: 'verify' },
  requestChanges: { by: 'REVIEWER', from: ['SUBMITTED'], verb: 'request changes to' },
  reject: { by: 'REVIEWER', from: ['SUBMITTED'], verb: 'reject' },
}

const statusWords: Record<ParticipationStatus, string> = {
  ACTIVE: 'active',
  SUBMITTED: 'under review',
  CHANGES_REQUESTED: 'waiting for a better proof',
  VERIFIED: 'verified',
  REJECTED: 'rejected',
  DROPPED: 'over, because the seat was given up',
  CANCELLED: 'cancelled',
}

export type Situation = {
  status: ParticipationStatus
  joinedAt: Instant
  lastSeenAt: Instant
  proofAllowedAt: Instant
  proofSubmittedAt: Instant | null
  dailyCheckIn: boolean
  /** The campaign's. */
  reviewHours: number
  atRiskHours: number
  dropHours: number
  /** Warned of a missing check-in since the last one. */
  atRisk: boolean
  /** Warned that the proof is late. */
  proofWarned: boolean
  timeZone: string
  lastCheckInDay: Day | null
  /** How often changes were requested so far. */
  changesRequested: number
}

export const checkedInToday = (situation: Situation, now: Instant): boolean =>
  situation.lastCheckInDay === dayIn(situation.timeZone, now)

/** The error for an action that is not possible now; null when it is possible. */
export const refusal = (action: ParticipationAction, situation: Situation, now: Instant): DomainError | null => {
  const { from, verb } = lifecycle[action]
  if (!from.includes(situation.status)) {
    return new DomainError('WRONG_STATE', `This test is ${statusWords[situation.status]}, so you cannot ${verb} it.`)
  }
  if (action === 'checkIn' && checkedInToday(situation, now)) {
    return new DomainError('ALREADY_CHECKED_IN', 'You have checked in today. Come back tomorrow.')
  }
  if (action === 'requestChanges' && situation.changesRequested >= maxChangeRequests) {
    return new DomainError(
      'WRONG_STATE',
      `Changes were requested ${maxChangeRequests} times, which is the most. Verify or reject this proof.`,
    )
  }
  if (action === 'submitProof' && situation.status === 'ACTIVE' && now < situation.proofAllowedAt) {
    const when = new Intl.DateTimeFormat('en-US', {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: situation.timeZone,
    }).format(Date.parse(situation.proofAllowedAt))
    return new DomainError('TOO_EARLY', `You can submit your proof from ${when} (${situation.timeZone}).`)
  }
  return null
}

export const allowedActions = (by: Step['by'], situation: Situation, now: Instant): ParticipationAction[] =>
  (Object.keys(lifecycle) as ParticipationAction[]).filter(
    action => lifecycle[action].by === by && refusal(action, situation, now) === null,
  )

/** A proof may be submitted once the campaign's days have passed since joining. */
export const proofAllowedFrom = (joinedAt: Instant, durationDays: number): Instant => daysAfter(joinedAt, durationDays)

/**
 * The days that the tester of a cancelled campaign is paid for: those checked in, or, where no daily check-in is asked for,
 * the whole 24 hours since joining; at most the campaign's. The SQL function cancel_campaign counts the same.
 */
export const daysDone = (
  test: { dailyCheckIn: boolean; checkIns: number; joinedAt: Instant; durationDays: number },
  now: Instant,
): number => {
  const days = test.dailyCheckIn ? test.checkIns : Math.max(0, Math.floor(hoursBetween(test.joinedAt, now) / 24))
  return Math.min(days, test.durationDays)
}

const earliest = (instants: readonly Instant[]): Instant => instants.reduce((a, b) => (a < b ? a : b))

type Wait = { for: 'CHECK_IN' | 'PROOF'; since: Instant; warned: boolean }

/**
 * What an ACTIVE test waits for: the next check-in, if the campaign requires any, and the proof. Each one triggers a
 * warning after `atRiskHours` and drops the tester after `dropHours`.
 */
const waitsOf = (situation: Situation): Wait[] => [
  ...(situation.dailyCheckIn
    ? [{ for: 'CHECK_IN', since: situation.lastSeenAt, warned: situation.atRisk } as const]
    : []),
  { for: 'PROOF', since: situation.proofAllowedAt, warned: situation.proofWarned },
]

/**
 * When the next deadline passes: a tester without a check-in, or without a proof that is due, for `dropHours` is dropped;
 * a proof without a review for `reviewHours` is verified.
 */
export const deadlineOf = (situation: Situation): Instant | null => {
  const { dropHours: untilDropped, reviewHours: untilVerified } = situation
  switch (situation.status) {
    case 'ACTIVE':
      return hoursAfter(earliest(waitsOf(situation).map(wait => wait.since)), untilDropped)
    case 'CHANGES_REQUESTED':
      return hoursAfter(situation.lastSeenAt, untilDropped)
    case 'SUBMITTED':
      return hoursAfter(situation.proofSubmittedAt ?? situation.lastSeenAt, untilVerified)
    case 'VERIFIED':
    case 'REJECTED':
    case 'DROPPED':
    case 'CANCELLED':
      return null
  }
}

export type Warning = { of: Wait['for']; at: Instant; dropsAt: Instant }

/** Warnings not sent yet. Of a missing check-in only while one would help: not once the proof is due. */
const warningsAhead = (situation: Situation): Warning[] => {
  if (situation.status !== 'ACTIVE') return []
  return waitsOf(situation)
    .filter(wait => !wait.warned && (wait.for === 'PROOF' || wait.since <= situation.proofAllowedAt))
    .map(wait => ({
      of: wait.for,
      at: hoursAfter(wait.since, situation.atRiskHours),
      dropsAt: hoursAfter(wait.since, situation.dropHours),
    }))
}

/** When `onWake` has to run next: for a warning, or else for the deadline. */
export const wakeAt = (situation: Situation): Instant | null => {
  const deadline = deadlineOf(situation)
  return deadline === null ? null : earliest([deadline, ...warningsAhead(situation).map(warning => warning.at)])
}

export type Waking =
  | { does: 'NOTHING' }
  | { does: 'WARN'; warnings: Warning[] }
  | { does: 'DROP'; reason: 'NO_CHECK_IN' | 'NO_PROOF' }
  | { does: 'VERIFY' }

/** What is due now. */
export const onWake = (situation: Situation, now: Instant): Waking => {
  const deadline = deadlineOf(situation)
  if (deadline === null) return { does: 'NOTHING' }
  if (now >= deadline) {
    if (situation.status === 'SUBMITTED') return { does: 'VERIFY' }
    const silent =
      situation.status === 'ACTIVE' &&
      situation.dailyCheckIn &&
      now >= hoursAfter(situation.lastSeenAt, situation.dropHours)
    return { does: 'DROP', reason: silent ? 'NO_CHECK_IN' : 'NO_PROOF' }
  }
  const warnings = warningsAhead(situation).filter(warning => now >= warning.at)
  return warnings.length > 0 ? { does: 'WARN', warnings } : { does: 'NOTHING' }
}

export type Requirements = {
  platform: Platform
  countryCodes: readonly string[]
  minAndroidVersion: string | null
  minIOSVersion: string | null
}

const versionParts = (text: string) => /\d+(?:\.\d+)*/.exec(text)?.[0].split('.').map(Number) ?? null

const isOlder = (have: readonly number[], need: readonly number[]) => {
  for (const [place, needed] of need.entries()) {
    const part = have[place] ?? 0
    if (part !== needed) return part < needed
  }
  return false
}

/** Why this tester cannot join with this device, as a sentence; null if they can. */
export const whyNotEligible = (
  requirements: Requirements,
  tester: { country: string | null },
  device: DeviceInfo,
): string | null => {
  const { platform, countryCodes } = requirements
  if (device.platform && device.platform !== platform) {
    return `Needs an ${platformNames[platform]} device, yours is ${platformNames[device.platform]}.`
  }
  if (countryCodes.length > 0 && (tester.country === null || !countryCodes.includes(tester.country))) {
    const wanted = new Intl.ListFormat('en', { type: 'disjunction' }).format(countryCodes.map(countryName))
    if (tester.country === null) return `Needs a tester from ${wanted}. Set your country in your profile first.`
    return `Needs a tester from ${wanted}, you are from ${countryName(tester.country)}.`
  }
  const needed = platform === 'android' ? requirements.minAndroidVersion : requirements.minIOSVersion
  if (needed === null) return null
  const have = versionParts(device.osVersion ?? '')
  if (!have) return `Needs ${platformNames[platform]} ${needed} or newer. Say which version your device has.`
  if (isOlder(have, versionParts(needed) ?? []))
    return `Needs ${platformNames[platform]} ${needed}, you have ${have.join('.')}.`
  return null
}

export const aliasOf = (ordinal: number): string => `Tester ${ordinal}`
