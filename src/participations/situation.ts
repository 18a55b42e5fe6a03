/** The facts that the rules of a participation look at, and the predicates that the rule files share. Pure. */
import { dayIn, type Day, type Instant } from '../kit/clock.ts'
import type { Downtime } from '../kit/downtimes.ts'
import { hasTesterList, isRunning } from '../campaigns/rules.ts'
import type { CampaignStatus } from '../campaigns/contract.ts'
import type { AccessMode } from '../campaigns/terms.ts'
import { doorIsClosed, hasNotBegun, type NdaSituation } from '../nda/rules.ts'
import type { CampaignTester, ParticipationStatus } from './contract.ts'
import { mostOptOuts } from './terms.ts'

export const openStatuses = [
  'ACTIVE',
  'SUBMITTED',
  'CHANGES_REQUESTED',
] as const satisfies readonly ParticipationStatus[]

/** Proof, verification and completion do not end a run; an opt-in is possible in all of these. */
export const runStatuses = [...openStatuses, 'VERIFIED'] as const satisfies readonly ParticipationStatus[]

/** The run of a frozen seat goes on, so it can end or be contested, but no new one can start. */
const frozenStatuses = ['REJECTED', 'APPEALED'] as const satisfies readonly ParticipationStatus[]
export const lastingRunStatuses = [...runStatuses, ...frozenStatuses] as const

export const isFrozen = ({ status }: { status: ParticipationStatus }): boolean =>
  frozenStatuses.some(frozen => frozen === status)

export type Situation = {
  status: ParticipationStatus
  joinedAt: Instant
  /** When the last check-in, proof or request for changes happened; at first, when the tester joined. */
  lastSeenAt: Instant
  /** Null while the NDA that joining required is not accepted, and while a test with a tester list has no present run. */
  proofAllowedAt: Instant | null
  proofSubmittedAt: Instant | null
  dailyCheckIn: boolean
  durationDays: number
  /** The campaign's. */
  reviewHours: number
  atRiskHours: number
  dropHours: number
  accessMode: AccessMode
  campaignStatus: CampaignStatus
  campaignClosedAt: Instant | null
  /** The owner has applied for production access. */
  appliedAt: Instant | null
  listedAt: Instant | null
  linkOpenedAt: Instant | null
  /** When the tester last reported that Google Play does not let them in, and how often. Each report clears `listedAt`. */
  noAccessAt: Instant | null
  noAccessReports: number
  /** The start of the present run; null without one. */
  optedInAt: Instant | null
  /** When the last run ended in a way that lets the tester start another: by an opt-out, or because an admin voided it. */
  optedOutAt: Instant | null
  optOuts: number
  /** The developer's contest of the present run. */
  contest: 'NONE' | 'OPEN' | 'ENDED'
  /** How many of `waitNotices` (deadlines.ts) were sent. */
  waitNoticesSent: number
  nudgedAt: Instant | null
  /** Whether the tester was warned about a missing check-in or opt-in since the last one. */
  atRisk: boolean
  /** Whether the tester was warned that the proof, or the changed proof, is late. */
  proofWarned: boolean
  timeZone: string
  /** The day of the last check-in that counts. */
  lastCheckInDay: Day | null
  /** How many check-ins count, in all runs. */
  daysCheckedIn: number
  /** How often changes were requested so far. */
  changesRequested: number
  /** For a proof, unless its rejection is final: whether the tester's account is suspended or deleted, so they can do nothing more. */
  cannotSignIn: boolean
  /** When the proof was rejected, while its seat is frozen; null otherwise. */
  frozenSince: Instant | null
  /** For a submitted proof: whether its rejection waits for an admin's consent, or consent was refused. */
  consent: 'NONE' | 'WAITING' | 'REFUSED'
  /** Whether a dispute about the campaign's payment is open. */
  disputed: boolean
  /** Whether the tester has appealed, whatever the outcome. */
  appealed: boolean
  /** Downtimes since joining, which deadlines leave out. */
  downtimes: readonly Downtime[]
} & NdaSituation

/** Around midnight the last check-in may be from tomorrow, if the clock of the server that took it was ahead of this one. */
export const checkedInToday = ({ lastCheckInDay, timeZone }: Situation, now: Instant): boolean =>
  lastCheckInDay !== null && lastCheckInDay >= dayIn(timeZone, now)

export const nudgedToday = ({ nudgedAt, timeZone }: Pick<Situation, 'nudgedAt' | 'timeZone'>, now: Instant): boolean =>
  nudgedAt !== null && dayIn(timeZone, nudgedAt) >= dayIn(timeZone, now)

/** Whether its days count from an opt-in. After a cancellation nothing counts any more, and open proofs are only reviewed. */
export const countsFromOptIn = ({ accessMode, campaignStatus }: Situation): boolean =>
  hasTesterList(accessMode) && campaignStatus !== 'CANCELLED'

/** The tester has not accepted the NDA that joining required: no day counts yet, and the tester has to act. */
export const mustAcceptNda = (situation: Situation): boolean => situation.status === 'ACTIVE' && hasNotBegun(situation)

/** The start or the end of a run changes the deadline of the first proof, but not that of requested changes. */
export const proofWarnedInRuns = ({ status, proofWarned }: Pick<Situation, 'status' | 'proofWarned'>): boolean =>
  status === 'CHANGES_REQUESTED' && proofWarned

export const isProofWarned = ({ status, proofWarned }: Pick<Situation, 'status' | 'proofWarned'>): boolean =>
  (status === 'ACTIVE' || status === 'CHANGES_REQUESTED') && proofWarned

export const latest = (...instants: (Instant | null)[]): Instant =>
  instants.reduce<Instant>((a, b) => (b !== null && b > a ? b : a), '')

export type Beginning = Pick<Situation, 'joinedAt' | 'ndaJoined' | 'ndaAcceptedAt' | 'ndaLiftedAt'>

/**
 * When a test whose days do not depend on an opt-in began: when the tester joined, or when the NDA that joining required was
 * accepted or withdrawn; null while the NDA is required and not accepted. In SQL: begun_at.
 */
export const begunAt = ({ joinedAt, ndaJoined, ndaAcceptedAt, ndaLiftedAt }: Beginning): Instant | null =>
  ndaJoined === null ? latest(joinedAt, ndaLiftedAt) : ndaAcceptedAt

/**
 * Nobody is asked for anything any more. A tester who was verified without accepting an NDA was inside before there was one, so
 * showing them the link again reveals nothing new.
 */
export const isVerifiedToTheEnd = ({
  status,
  campaignClosedAt,
}: Pick<Situation, 'status' | 'campaignClosedAt'>): boolean => status === 'VERIFIED' && campaignClosedAt !== null

export type AtTheDoor = Pick<Situation, 'status' | 'campaignClosedAt' | 'ndaVersion' | 'ndaAccepted'>

/** The link, the Google Group, bugs and changes are hidden until the NDA is accepted. */
export const linkWaitsForNda = (situation: AtTheDoor): boolean =>
  doorIsClosed(situation) && !isVerifiedToTheEnd(situation)

/** A test as its tester sees it, where the campaign has its status but not its end. */
export const atTheDoor = ({
  status,
  nda,
  campaign,
}: Pick<CampaignTester, 'status' | 'nda' | 'campaign'>): AtTheDoor => ({
  status,
  campaignClosedAt: isRunning(campaign.status) ? null : 'ended',
  ndaVersion: nda?.version ?? null,
  ndaAccepted: nda?.accepted ?? null,
})

/** The developer has not put the tester on the list yet, so nothing is due and the tester is never at risk. */
export const waitsForList = (situation: Situation): boolean =>
  situation.status === 'ACTIVE' &&
  countsFromOptIn(situation) &&
  !mustAcceptNda(situation) &&
  situation.listedAt === null &&
  situation.optedInAt === null &&
  situation.optedOutAt === null

/** The tester has to opt in, for the first time or again. */
export const isOut = (situation: Situation): boolean =>
  countsFromOptIn(situation) && situation.optedInAt === null && !waitsForList(situation) && !mustAcceptNda(situation)

/**
 * The tester has opted out as often as a test allows: no further opt-in starts, unless the proof has to be changed, which needs
 * one.
 */
export const isOutForGood = ({
  status,
  optedInAt,
  optOuts,
}: Pick<Situation, 'status' | 'optedInAt' | 'optOuts'>): boolean =>
  optedInAt === null && optOuts >= mostOptOuts && status !== 'CHANGES_REQUESTED'

/** The situation of a test that begins now. */
export const freshSituation = (
  campaign: Pick<
    Situation,
    | 'timeZone'
    | 'dailyCheckIn'
    | 'durationDays'
    | 'reviewHours'
    | 'atRiskHours'
    | 'dropHours'
    | 'accessMode'
    | 'campaignStatus'
    | 'ndaVersion'
  >,
  { now, proofAllowedAt }: { now: Instant; proofAllowedAt: Instant | null },
): Situation => ({
  status: 'ACTIVE',
  joinedAt: now,
  lastSeenAt: now,
  proofAllowedAt,
  proofSubmittedAt: null,
  timeZone: campaign.timeZone,
  dailyCheckIn: campaign.dailyCheckIn,
  durationDays: campaign.durationDays,
  reviewHours: campaign.reviewHours,
  atRiskHours: campaign.atRiskHours,
  dropHours: campaign.dropHours,
  accessMode: campaign.accessMode,
  campaignStatus: campaign.campaignStatus,
  atRisk: false,
  proofWarned: false,
  lastCheckInDay: null,
  daysCheckedIn: 0,
  changesRequested: 0,
  cannotSignIn: false,
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
  ndaVersion: campaign.ndaVersion,
  ndaJoined: campaign.ndaVersion,
  ndaAccepted: null,
  ndaAcceptedAt: null,
  ndaLiftedAt: null,
  frozenSince: null,
  consent: 'NONE',
  disputed: false,
  appealed: false,
  downtimes: [],
})
