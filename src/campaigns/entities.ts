/** What callers are shown of a campaign. */
import { z } from 'zod'
import { WaitingPayment } from '../ledger/contract.ts'
import { Cents, Id, Instant } from '../kit/schemas.ts'
import { accessModes, campaignActions, campaignStatuses, pausers, platforms } from './terms.ts'

export const CampaignStatus = z.enum(campaignStatuses)
export type CampaignStatus = z.output<typeof CampaignStatus>

export const noSuchPlatform = 'Platform must be android or ios'
export const Platform = z.enum(platforms, { error: noSuchPlatform })
export type Platform = z.output<typeof Platform>

export const AccessMode = z.enum(accessModes, {
  error: 'Access must be EMAIL_LIST, GOOGLE_GROUP or OPEN_LINK',
})

export const CampaignAction = z.enum(campaignActions)
export type CampaignAction = z.output<typeof CampaignAction>
export const Campaign = z.object({
  id: Id,
  title: z.string(),
  description: z.string(),
  platform: Platform,
  /**
   * Null unless the caller is the owner, an admin, or a tester in it: testers have to join before they get the app, and to
   * accept the NDA where there is one.
   */
  distributionLink: z.string().nullable(),
  /** Changed links that wait for an admin, and since when; null for testers, who keep the old ones until then. */
  pendingLink: z.string().nullable(),
  pendingGroupLink: z.string().nullable(),
  pendingLinkSince: Instant.nullable(),
  testersRequired: z.int(),
  /** Seats that are not given again and count as done: free = testersRequired − closedSeats − `_count.campaignTesters`. */
  closedSeats: z.int(),
  /** Free seats that are held for testers on the reserve bench, and how many are on it. */
  offeredSeats: z.int(),
  benchTesters: z.int(),
  /** A payment that is on its way, of a draft or anew, where its owner or an admin asks for this campaign alone. */
  payment: WaitingPayment.optional(),
  /**
   * What the owner owes for payments that banks took back, of whatever campaign: as long as that is so, this one cannot be paid for.
   * Absent where nothing is owed or to be paid, and for everybody else.
   */
  owedCents: Cents.optional(),
  /**
   * Of the taken seats, those whose proof was rejected: they stay taken, with their pay and fee, until the time for an appeal is
   * over (`until`, the latest), or an admin has decided on the appeal (`appealed` of them). Null without any, and for testers.
   */
  frozen: z.object({ seats: z.int(), appealed: z.int(), until: Instant.nullable() }).nullable(),
  /**
   * A dispute about its payment: since when one is open, which stops joins, refunds, rejections by the developer and completion,
   * and when one was lost, after which nobody new gets in. Null without any, and for testers who have no open test in it.
   */
  dispute: z.object({ since: Instant.nullable(), lostAt: Instant.nullable() }).nullable(),
  /**
   * What the ledger holds of the testers' pay and of the fee where the seats do not tell it: from the beginning of a dispute until
   * the refunds that waited for its end are made. Null otherwise, and for testers.
   */
  held: z.object({ payCents: Cents, feeCents: Cents }).nullable(),
  /**
   * What the owner is asked to pay anew, since the payment has been in escrow for too long; the old one is then refunded. Null
   * unless an admin has asked for it, and for testers.
   */
  renewal: z.object({ askedAt: Instant, amountCents: Cents }).nullable(),
  payPerTesterCents: Cents,
  durationDays: z.int(),
  dailyCheckIn: z.boolean(),
  accessMode: z.enum(accessModes),
  /** The developer's Google Group, which is shown before joining: its owner sees who is in it. With an NDA after accepting. */
  groupLink: z.string().nullable(),
  /** The version of the NDA that testers accept before they get the app; null without one. */
  ndaVersion: z.int().nullable(),
  /** How many questions the feedback form has that is due with the proof, for its testers the one they joined with; 0 without one. */
  feedbackQuestions: z.int(),
  features: z.array(z.string()),
  /** The system settings at its creation: the fee, and the hours used by participations/rules.ts. */
  feeBasisPoints: z.int(),
  reviewHours: z.int(),
  atRiskHours: z.int(),
  dropHours: z.int(),
  filters: z.object({
    countries: z.array(z.string()),
    minAndroidVersion: z.string().nullable(),
    minIOSVersion: z.string().nullable(),
  }),
  status: CampaignStatus,
  /** While it is PAUSED and its owner has not done it: an admin, or the suspension of the owner’s account. Null for testers. */
  pausedBy: z.enum(pausers).nullable(),
  startDate: Instant.nullable(),
  endDate: Instant.nullable(),
  /** When it was completed or cancelled, also before `endDate`; null until then. */
  endedAt: Instant.nullable(),
  createdAt: Instant,
  /** When it was last submitted for approval. */
  submittedAt: Instant.nullable(),
  /** The admin's reason; only while REJECTED. */
  rejectionReason: z.string().nullable(),
  /** Testers' pay that was actually paid in, net of refunds. */
  fundedCents: Cents,
  /** The platform's fee that was actually paid in, net of refunds. */
  feeCents: Cents,
  /** The quote: testers × pay, the fee, their sum, and how much of it is outstanding. */
  quotedPayCents: Cents,
  quotedFeeCents: Cents,
  totalCostCents: Cents,
  outstandingCents: Cents,
  _count: z.object({
    /** Seats taken. */
    campaignTesters: z.int(),
    /** Testers who ever joined, also those who have left, were dropped or rejected. */
    joined: z.int(),
    /** Seats whose tester was verified and paid. */
    verified: z.int(),
  }),
  developer: z.object({ id: Id, name: z.string() }),
  /** The signed-in tester's own participation. */
  participation: z.object({ id: Id, status: z.string() }).nullable(),
  /** What the caller may do now; screens render their buttons from it. */
  actions: z.array(CampaignAction),
})
export type Campaign = z.output<typeof Campaign>

/** The system settings that a new campaign copies (product.md §7). */
export const NewCampaignTerms = Campaign.pick({
  feeBasisPoints: true,
  reviewHours: true,
  atRiskHours: true,
  dropHours: true,
}).extend({
  /** The share of tests that their testers gave up: of the newest 1,000 finished ones, or assumed while there are too few. */
  dropOuts: z.object({ finishedTests: z.int(), basisPoints: z.int(), assumed: z.boolean() }),
})
export type NewCampaignTerms = z.output<typeof NewCampaignTerms>
