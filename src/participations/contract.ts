/** Participations: a tester's place in a campaign, the spec's "campaign tester" (spec §3, §7; product.md §3). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { isWebLink } from '../kit/links.ts'
import {
  ById,
  Cents,
  Day,
  filter,
  Id,
  Instant,
  KeysetQuery,
  line,
  optionalLine,
  optionalText,
  SequenceCursor,
  text,
  wholeNumber,
} from '../kit/schemas.ts'
import { Attachment } from '../attachments/contract.ts'
import { CampaignStatus, Platform } from '../campaigns/contract.ts'
import { accessModes, limits } from '../campaigns/terms.ts'
import {
  contestDecisions,
  dropReasons,
  funnelSteps,
  maxProofFiles,
  maxVerifiedAtOnce,
  minRejectionReason,
  nextSteps,
  participationActions,
  participationStatuses,
  rejectionCodes,
} from './terms.ts'

export const ParticipationStatus = z.enum(participationStatuses)
export type ParticipationStatus = z.output<typeof ParticipationStatus>

export const ParticipationAction = z.enum(participationActions)
export type ParticipationAction = z.output<typeof ParticipationAction>

export const RejectionCode = z.enum(rejectionCodes, { error: 'Choose one of the listed codes' })
export type RejectionCode = z.output<typeof RejectionCode>

export type DropReason = (typeof dropReasons)[number]

const DeviceFacts = z.object({
  platform: Platform.optional(),
  osVersion: optionalLine('The system version', 40).optional(),
  model: line('The device model', 120),
  manufacturer: optionalLine('The manufacturer', 120).optional(),
  fingerprint: optionalText('The fingerprint', 200).optional(),
})

/** The device a tester joins with; a plain string is its model (product.md §3). */
export const DeviceInfo = z.union([line('The device', 120).transform(model => ({ model })), DeviceFacts], {
  error: 'Say which device you test on',
})
export type DeviceInfo = z.output<typeof DeviceFacts>

const proofText = optionalText('The proof', 10_000)
const ProofLink = z
  .string({ error: 'A link must be text' })
  .trim()
  .max(2000, { error: 'A link may have at most 2,000 characters' })
  .refine(isWebLink, { error: 'A link must be a full address that starts with http:// or https://' })

const ProofFiles = z
  .array(z.uuid({ error: 'An attachment is named by its id' }), { error: 'List the ids of the attachments' })
  .max(maxProofFiles, { error: `Attach at most ${maxProofFiles} files` })
  .refine(ids => new Set(ids).size === ids.length, { error: 'Attach each file once' })

/** A text, or a text with links and files. */
export const Proof = z.union(
  [
    text('The proof', 10_000).transform(words => ({
      text: words,
      links: [] as string[],
      attachmentIds: [] as string[],
    })),
    z
      .object({
        text: proofText.default(''),
        links: z.array(ProofLink).max(20, { error: 'Give at most 20 links' }).default([]),
        attachmentIds: ProofFiles.default([]),
      })
      .refine(proof => proof.text !== '' || proof.links.length > 0 || proof.attachmentIds.length > 0, {
        error: 'Describe what you tested, or give a link or a file',
      }),
  ],
  { error: 'Describe what you tested, or give a link or a file' },
)
export type Proof = { text: string; links: string[]; attachmentIds: string[] }

/** The address and the consent are asked for where the campaign has a tester list, and ignored elsewhere. */
export const Joining = z.object({
  deviceInfo: DeviceInfo,
  playEmail: optionalText('The address', 254).optional(),
  consent: z.boolean({ error: 'Consent must be true or false' }).optional(),
  /** The version of the text that was shown: refused when there is a newer one. */
  consentVersion: z.int({ error: 'The version must be a whole number' }).optional(),
  /** When no seat is free: wait for one on the reserve bench. */
  waitlist: z.boolean({ error: 'Waitlist must be true or false' }).optional(),
})
export type Joining = z.output<typeof Joining>

const AttachmentId = z.uuid({ error: 'An attachment is named by its id' })

/** What a check-in may say of the day. */
export const NewCheckIn = z.object({
  /** How long the app was in use. */
  minutes: wholeNumber('The minutes', 0, 1440).optional(),
  /** Those of the campaign's features that were tried. */
  features: z
    .array(line('A feature', limits.feature), { error: 'List the features that you tried' })
    .max(limits.features, { error: `Name at most ${limits.features} features` })
    .optional(),
  note: optionalLine('The note', 500).optional(),
  /** A picture that shows the day's code. */
  attachmentId: AttachmentId.optional(),
})
export type NewCheckIn = z.output<typeof NewCheckIn>

export const CheckIn = z.object({
  day: Day,
  at: Instant,
  note: z.string().nullable(),
  minutes: z.int().nullable(),
  features: z.array(z.string()),
  attachment: Attachment.nullable(),
  /** What the tester's page showed on that day; null before there were codes. */
  code: z.string().nullable(),
})

/** For today, in the tester's time zone: different for each tester and day. */
export const DayCode = z.object({ code: z.string(), day: Day })
export type DayCode = z.output<typeof DayCode>

export const CampaignTester = z.object({
  id: Id,
  status: ParticipationStatus,
  /** The campaign's pay while open or verified, the pay for the days done when cancelled, else 0. */
  payoutAmountCents: Cents,
  /** Stable within the campaign, and all that its developer learns about the tester's identity. */
  alias: z.string(),
  /** While WAITLISTED: the place in the line, and until when a seat is held; null in all other states. */
  bench: z.object({ line: z.int(), offerEndsAt: Instant.nullable() }).nullable(),
  deviceInfo: z.object({
    platform: Platform.nullable(),
    osVersion: z.string().nullable(),
    model: z.string(),
    manufacturer: z.string().nullable(),
  }),
  joinedAt: Instant,
  /** The tester's time zone on joining, in which days are counted. */
  timeZone: z.string(),
  checkIns: z.array(CheckIn),
  /** When the proof may be submitted: `durationDays` after joining, or after the opt-in; null before the opt-in. */
  proofAllowedAt: Instant.nullable(),
  /** How far the tester is on the way into a campaign with a tester list; null with an open link. */
  funnel: z.object({ step: z.enum(funnelSteps), since: Instant }).nullable(),
  /** What the tester can do next; null when there is nothing to do today. */
  nextStep: z.enum(nextSteps).nullable(),
  /** While the developer has not put the tester on the list: when they may leave with this pay, and when the test ends with it. */
  waiting: z.object({ since: Instant, mayLeaveAt: Instant, endsAt: Instant, payCents: Cents }).nullable(),
  /** The present unbroken opt-in; null without one. `days` counts calendar days of the tester, the first one is 1. */
  run: z
    .object({
      startedAt: Instant,
      days: z.int(),
      confirmedAt: Instant,
      /** The last picture of the opted-in page that the tester sent. */
      screenshot: Attachment.nullable(),
      /** The developer's doubt, and when it was settled or will be. */
      contest: z
        .object({
          at: Instant,
          reason: z.string(),
          endedAt: Instant.nullable(),
          clearsAt: Instant,
          note: z.string().nullable(),
        })
        .nullable(),
    })
    .nullable(),
  /** All opt-ins, oldest first. */
  runs: z.array(z.object({ startedAt: Instant, endedAt: Instant.nullable() })),
  /** How often the tester opted out; the third time gives up the seat. */
  optOuts: z.int(),
  /** The end of the last opt-in. */
  optedOutAt: Instant.nullable(),
  /** The developer's last reminder; null for the tester. */
  nudgedAt: Instant.nullable(),
  proof: z
    .object({
      text: z.string(),
      links: z.array(z.string()),
      attachments: z.array(Attachment),
      submittedAt: Instant,
    })
    .nullable(),
  review: z
    .object({
      note: z.string().nullable(),
      code: RejectionCode.nullable(),
      reason: z.string().nullable(),
      decidedAt: Instant,
      /** True when it was verified automatically, after the campaign's `reviewHours`. */
      bySilence: z.boolean(),
    })
    .nullable(),
  /** How often changes were requested: `maxChangeRequests` (3) times at most. */
  changesRequested: z.int(),
  /** Warned after `atRiskHours` without a check-in or opt-in, or without a proof that is due; about to be dropped. */
  atRisk: z.boolean(),
  /** The next deadline: dropped, or ended with a day's pay while `waiting` (ACTIVE, CHANGES_REQUESTED), or verified (SUBMITTED). */
  deadlineAt: Instant.nullable(),
  dropReason: z.enum(dropReasons).nullable(),
  closedAt: Instant.nullable(),
  campaign: z.object({
    id: Id,
    title: z.string(),
    platform: Platform,
    status: CampaignStatus,
    durationDays: z.int(),
    payPerTesterCents: Cents,
    dailyCheckIn: z.boolean(),
    /** The hours of rules.ts. */
    reviewHours: z.int(),
    atRiskHours: z.int(),
    dropHours: z.int(),
    distributionLink: z.string().nullable(),
    accessMode: z.enum(accessModes),
    groupLink: z.string().nullable(),
    /** When the developer applied for production access; until then testers are asked to stay opted in. */
    appliedAt: Instant.nullable(),
    /** What testers are asked to try. */
    features: z.array(z.string()),
  }),
  actions: z.array(ParticipationAction),
})
export type CampaignTester = z.output<typeof CampaignTester>

export const VerifyResult = z.object({
  id: Id,
  status: z.enum(['VERIFIED', 'REFUSED']),
  /** Why it was refused. */
  message: z.string().nullable(),
})
export type VerifyResult = z.output<typeof VerifyResult>

export const OpenedLink = z.object({
  /** The opt-in link of the campaign. */
  url: z.string(),
  /** The Google account with which it has to be opened; null with an open link. */
  playEmail: z.string().nullable(),
  /** The developer's Google Group, which has to be joined first; null in the other modes. */
  groupLink: z.string().nullable(),
})
export type OpenedLink = z.output<typeof OpenedLink>

/** An opt-in that its developer doubts, for an admin's decision. */
export const ContestedOptIn = z.object({
  /** The campaign tester's. */
  id: Id,
  alias: z.string(),
  campaign: z.object({ id: Id, title: z.string() }),
  developerName: z.string(),
  startedAt: Instant,
  confirmedAt: Instant,
  contestedAt: Instant,
  reason: z.string(),
  /** The last picture of the opted-in page that the tester sent. */
  screenshot: Attachment.nullable(),
  /** When it counts again without a decision. */
  clearsAt: Instant,
  checkIns: z.int(),
  lastCheckInAt: Instant.nullable(),
})
export type ContestedOptIn = z.output<typeof ContestedOptIn>

/** `errors` of an action that also has others repeat WRONG_STATE. */
const action = { method: 'POST', params: ById, reply: CampaignTester, errors: ['WRONG_STATE'] } as const
const onOwn = { ...action, access: 'TESTER' } as const
const onTester = { ...action, access: ['DEVELOPER', 'ADMIN'] } as const
const onOwnTester = { ...action, access: 'DEVELOPER' } as const

export const participationApi = endpoints({
  join: {
    method: 'POST',
    path: '/testers/campaigns/:id/join',
    access: 'TESTER',
    summary:
      'Take a seat, or with `waitlist` a place on the bench of a full campaign. 404 unless LIVE; 409 when it is full or joined before; 422 when the device or country does not fit.',
    params: ById,
    body: Joining,
    reply: CampaignTester,
    status: 201,
    errors: [
      'CAMPAIGN_FULL',
      'ALREADY_JOINED',
      'DEVICE_DOES_NOT_FIT',
      'EMAIL_NOT_CONFIRMED',
      'SUSPENDED',
      'LIMIT_REACHED',
    ],
  },
  joinForm: {
    method: 'GET',
    path: '/testers/campaigns/:id/join-form',
    access: 'TESTER',
    summary:
      'What joining asks for: the caller’s last Play address, and the text to agree to. Both null without a list.',
    params: ById,
    reply: z.object({
      playEmail: z.string().nullable(),
      /** A paragraph each; `version` is sent back as `consentVersion`. */
      consent: z.object({ version: z.int(), text: z.array(z.string()) }).nullable(),
    }),
  },
  mine: {
    method: 'GET',
    path: '/testers/my-campaigns',
    access: 'TESTER',
    summary: 'The caller’s tests, newest first.',
    query: KeysetQuery.extend({ status: filter(participationStatuses, 'There is no such status') }),
    pageOf: CampaignTester,
  },
  own: {
    method: 'GET',
    path: '/testers/campaign-testers/:id',
    access: 'TESTER',
    summary: 'One of the caller’s tests.',
    params: ById,
    reply: CampaignTester,
  },
  openLink: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/open-link',
    summary: 'The link to the app, and the Google account to open it with. The first time is recorded.',
    reply: OpenedLink,
  },
  optIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/opt-in',
    summary:
      'Confirm the opt-in on Google Play: the days begin. During an opt-in it is confirmed once more; a screenshot ends the developer’s doubt.',
    body: z.object({ attachmentId: AttachmentId.nullish() }).nullish(),
  },
  optOut: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/opt-out',
    summary: 'Say that the opt-in has ended: the next one begins at day 1, and the third time gives up the seat.',
  },
  checkIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/check-ins',
    summary: 'Check in for today: once per calendar day in the tester’s time zone.',
    body: NewCheckIn.nullish(),
    status: 201,
    errors: ['WRONG_STATE', 'ALREADY_CHECKED_IN'],
  },
  dayCode: {
    method: 'GET',
    path: '/testers/campaign-testers/:id/day-code',
    access: 'TESTER',
    summary: 'Today’s code, for a screenshot to show.',
    params: ById,
    reply: DayCode,
  },
  submitProof: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/proof',
    summary: 'Submit the proof: once the days have passed, and again after changes were requested.',
    body: z.object({ proof: Proof }),
    errors: ['WRONG_STATE', 'TOO_EARLY'],
  },
  leave: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/leave',
    summary: 'Leave the test, without pay; with one day’s pay after a week of waiting for the tester list.',
  },
  acceptSeat: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/accept-seat',
    summary: 'Take the seat that is held for the caller on the bench, or one that is free.',
    errors: ['WRONG_STATE', 'LIMIT_REACHED', 'SUSPENDED'],
  },
  ofCampaign: {
    method: 'GET',
    path: '/campaigns/:id/testers',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'The testers of the caller’s campaign, under an alias, in the order they joined.',
    params: ById,
    query: KeysetQuery.extend({ status: filter(participationStatuses, 'There is no such status') }),
    pageOf: CampaignTester,
  },
  verify: {
    ...onTester,
    path: '/campaign-testers/:id/verify',
    summary: 'Verify the proof and pay the tester.',
    stepUp: true,
    idempotent: true,
  },
  verifyAll: {
    method: 'POST',
    path: '/campaign-testers/verify-all',
    access: 'DEVELOPER',
    summary: 'Verify up to 100 proofs and pay their testers: each one is verified, or refused with its reason.',
    stepUp: true,
    body: z.object({
      ids: z
        .array(Id, { error: 'Name the tests to verify' })
        .min(1, { error: 'Name at least one test' })
        .max(maxVerifiedAtOnce, { error: `Name at most ${maxVerifiedAtOnce} tests` }),
    }),
    /** One for each test that was named, in that order; a test named twice has one. */
    reply: z.object({ results: z.array(VerifyResult) }),
    idempotent: true,
  },
  requestChanges: {
    ...onTester,
    path: '/campaign-testers/:id/request-changes',
    summary: 'Request changes to the proof.',
    body: z.object({ note: text('The note', 2000) }),
  },
  reject: {
    ...onTester,
    path: '/campaign-testers/:id/reject',
    summary: 'Reject the proof with a code and a reason; the tester is not paid.',
    stepUp: true,
    body: z.object({
      code: RejectionCode,
      reason: text('The reason', 2000).min(minRejectionReason, {
        error: `Give a reason of at least ${minRejectionReason} characters`,
      }),
    }),
    idempotent: true,
  },
  nudge: {
    ...onOwnTester,
    path: '/campaign-testers/:id/nudge',
    summary: 'Remind the tester of the next step, once a day.',
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  contestOptIn: {
    ...onOwnTester,
    path: '/campaign-testers/:id/contest-opt-in',
    summary: 'Doubt an opt-in, once: it does not count for the clock until it is cleared.',
    body: z.object({ reason: text('The reason', 2000) }),
  },
  contested: {
    method: 'GET',
    path: '/admin/campaign-testers/contested',
    access: 'ADMIN',
    summary: 'Contested opt-ins that wait for a decision, oldest first.',
    query: KeysetQuery.extend({ cursor: SequenceCursor }),
    pageOf: ContestedOptIn,
  },
  decideOptIn: {
    ...action,
    access: 'ADMIN',
    path: '/admin/campaign-testers/:id/decide-opt-in',
    summary: 'Decide on a contested opt-in: it counts from its start, or it ends.',
    body: z.object({
      decision: z.enum(contestDecisions, { error: 'Decision must be CLEAR or VOID' }),
      note: text('The note', 2000),
    }),
  },
})
