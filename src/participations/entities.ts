/** A participation as the API shows it. */
import { z } from 'zod'
import { Cents, Day, Id, Instant } from '../kit/schemas.ts'
import { Attachment } from '../attachments/contract.ts'
import { CampaignStatus, Platform } from '../campaigns/contract.ts'
import { accessModes } from '../campaigns/terms.ts'
import {
  accessProblems,
  appealOutcomes,
  consentOutcomes,
  dropReasons,
  funnelSteps,
  nextSteps,
  participationActions,
  goodwillHolds,
  publicHolds,
  rejectionCodes,
  seatObstacles,
} from './terms.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'

export const ParticipationStatus = z.enum(participationStatuses)
export type ParticipationStatus = z.output<typeof ParticipationStatus>

export const ParticipationAction = z.enum(participationActions)
export type ParticipationAction = z.output<typeof ParticipationAction>

export const RejectionCode = z.enum(rejectionCodes, { error: 'Choose one of the listed problems' })
export type RejectionCode = z.output<typeof RejectionCode>

export type DropReason = (typeof dropReasons)[number]
export const CheckIn = z.object({
  day: Day,
  at: Instant,
  note: z.string().nullable(),
  minutes: z.int().nullable(),
  features: z.array(z.string()),
  attachment: Attachment.nullable(),
  /** What the tester's page showed on that day; null before there were codes. */
  code: z.string().nullable(),
  /** True when it was made in an opt-in that an admin has voided: it counts for nothing. */
  voided: z.boolean().optional(),
})

/** For today, in the tester's time zone: different for each tester and day. */
export const DayCode = z.object({ code: z.string(), day: Day })
export type DayCode = z.output<typeof DayCode>

export const CampaignTester = z.object({
  id: Id,
  status: ParticipationStatus,
  /** The campaign's pay while open, frozen or verified, the pay for the days done when cancelled, else 0. */
  payoutAmountCents: Cents,
  /** Stable within the campaign, and all that its developer learns about the tester's identity. */
  alias: z.string(),
  /** While WAITLISTED: the place in the line, and until when a seat is held; null in all other states. */
  bench: z
    .object({
      line: z.int(),
      offerEndsAt: Instant.nullable(),
      /** The campaign gives no seats at the moment, free or not. */
      takesNobody: z.boolean(),
      /** A seat is free for the tester, who has as many open tests as are allowed: one of them has to end first. */
      keptByLimit: z.boolean(),
      /** Why accepting the seat that is free for the tester would be refused now, with the code and the message of that refusal. */
      obstacle: z.object({ code: z.enum(seatObstacles), message: z.string() }).nullable(),
    })
    .nullable(),
  deviceInfo: z.object({
    platform: Platform.nullable(),
    osVersion: z.string().nullable(),
    model: z.string(),
    manufacturer: z.string().nullable(),
  }),
  joinedAt: Instant,
  /**
   * When the days begin with an open link: null while the NDA that joining asked for is neither accepted nor taken back, and with
   * a tester list.
   */
  begunAt: Instant.nullable(),
  /** The tester's time zone on joining, in which days are counted. */
  timeZone: z.string(),
  checkIns: z.array(CheckIn),
  /**
   * When the proof may be submitted: `durationDays` after the days have begun: with joining or its NDA, or with the opt-in; null
   * before.
   */
  proofAllowedAt: Instant.nullable(),
  /** How far the tester is on the way into a campaign with a tester list; null with an open link. */
  funnel: z.object({ step: z.enum(funnelSteps), since: Instant }).nullable(),
  /** What the tester can do next; null when there is nothing to do today. */
  nextStep: z.enum(nextSteps).nullable(),
  /** While the developer has not put the tester on the list: when they may leave with this pay, and when the test ends with it. */
  waiting: z.object({ since: Instant, mayLeaveAt: Instant, endsAt: Instant, payCents: Cents }).nullable(),
  /**
   * The tester's reports that Google Play does not let them in, at most two, and what it showed the last time; null without a
   * list. `mayReportAt`: from when there may be another; null while there is nothing to report.
   */
  noAccess: z
    .object({
      reports: z.int(),
      at: Instant.nullable(),
      problem: z.enum(accessProblems).nullable(),
      mayReportAt: Instant.nullable(),
    })
    .nullable(),
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
  /** What the campaign asks for, and the newest version that the tester accepted; null without an NDA. */
  nda: z
    .object({
      version: z.int(),
      accepted: z.int().nullable(),
      /** What refusing a changed version would pay now; null where there is none to refuse. */
      refusalPayCents: Cents.nullable(),
    })
    .nullable(),
  /** True when the test ended because its tester did not accept a changed NDA, and was not paid for a week of waiting instead. */
  ndaRefused: z.boolean(),
  /** All opt-ins, oldest first. What an admin has voided counts for nothing. */
  runs: z.array(z.object({ startedAt: Instant, endedAt: Instant.nullable(), voided: z.boolean().optional() })),
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
      /** True when the platform paid, because nobody decided on the tester's appeal: VERIFIED by the platform. */
      byPlatform: z.boolean(),
      /** True when an admin decided, and not the developer: whoever consents to a rejection leaves it the developer’s. */
      byAdmin: z.boolean(),
      /** True when it was verified automatically, after the campaign's `reviewHours`. */
      bySilence: z.boolean(),
    })
    .nullable(),
  /** Against the rejection: what the tester says, and the admin's decision with the note that both sides see. */
  appeal: z
    .object({
      at: Instant,
      reason: z.string(),
      attachments: z.array(Attachment),
      /** Null while it waits. */
      outcome: z.enum(appealOutcomes).nullable(),
      decidedAt: Instant.nullable(),
      note: z.string().nullable(),
      /** While nobody decides: when the platform pays the tester, and what holds that back, if it is due or known before. */
      goodwill: z.object({ at: Instant, hold: z.enum(publicHolds).nullable() }).nullable(),
    })
    .nullable(),
  /** A rejection that needs or needed an admin's consent, the last one of this test; null for the tester, and in most cases. */
  consentRequest: z
    .object({
      at: Instant,
      code: RejectionCode,
      reason: z.string(),
      /** Null while it waits. */
      outcome: z.enum(consentOutcomes).nullable(),
      decidedAt: Instant.nullable(),
      /** The admin's. */
      note: z.string().nullable(),
    })
    .nullable(),
  /** How often changes were requested: `maxChangeRequests` (3) times at most. */
  changesRequested: z.int(),
  /** Warned after `atRiskHours` without a check-in or opt-in, or without a proof that is due; about to be dropped. */
  atRisk: z.boolean(),
  /**
   * The next deadline: dropped, or ended with a day's pay while `waiting` (ACTIVE, CHANGES_REQUESTED), or verified (SUBMITTED),
   * or final without an appeal (REJECTED).
   */
  deadlineAt: Instant.nullable(),
  /** Until when the proof that is due has to come; `deadlineAt` may be that of a check-in. */
  proofDueAt: Instant.nullable(),
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

/** An appeal that waits for an admin's decision. */
export const WaitingAppeal = z.object({
  /** The campaign tester's. */
  id: Id,
  alias: z.string(),
  campaign: z.object({ id: Id, title: z.string() }),
  developerName: z.string(),
  testerName: z.string(),
  appealedAt: Instant,
  /** Of the rejection. */
  code: RejectionCode,
  /** What the tester would be paid. */
  payCents: Cents,
  /** When the platform pays without a decision, and why it does not although that has passed. */
  paysAt: Instant,
  heldFor: z.enum(goodwillHolds).nullable(),
})
export type WaitingAppeal = z.output<typeof WaitingAppeal>

/** Whether a developer's rejections need an admin's consent: so many of the last ones were overturned. */
export const RejectionConsent = z.object({
  needed: z.boolean(),
  overturned: z.int(),
  of: z.int(),
})
export type RejectionConsent = z.output<typeof RejectionConsent>

/** A rejection that waits for an admin's consent. */
export const WaitingRejection = z.object({
  /** The campaign tester's. */
  id: Id,
  alias: z.string(),
  campaign: z.object({ id: Id, title: z.string() }),
  developerName: z.string(),
  requestedAt: Instant,
  code: RejectionCode,
  reason: z.string(),
  /** When the proof is verified by silence without consent. */
  verifiesAt: Instant,
  /** So many of the developer's last rejections were overturned. */
  overturned: z.int(),
  of: z.int(),
})
export type WaitingRejection = z.output<typeof WaitingRejection>

/** The evidence of both sides: the test with its proof, review and appeal, and what the campaign asks for. */
export const AppealCase = z.object({
  test: CampaignTester,
  description: z.string(),
  /** Why the platform does not pay although nobody has decided in time. */
  heldFor: z.enum(goodwillHolds).nullable(),
  developer: z.object({ id: Id, name: z.string() }),
  tester: z.object({ id: Id, name: z.string() }),
})
export type AppealCase = z.output<typeof AppealCase>
