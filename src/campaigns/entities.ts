/** A campaign as the API shows it. */
import { z } from 'zod'
import { DeclinedPayment, WaitingPayment } from '../ledger/contract.ts'
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
  /** Changed links that wait for an admin, and since when. Null for testers, who keep the old links until they are approved. */
  pendingLink: z.string().nullable(),
  pendingGroupLink: z.string().nullable(),
  pendingLinkSince: Instant.nullable(),
  testersRequired: z.int(),
  /** Seats that are not given again and count as done: free = testersRequired − closedSeats − `_count.campaignTesters`. */
  closedSeats: z.int(),
  /** Free seats that are held for testers on the reserve bench, and the number of testers on it. */
  offeredSeats: z.int(),
  benchTesters: z.int(),
  /** A payment on its way, for a draft or as a requested new payment. Only when its owner or an admin loads this one campaign. */
  payment: WaitingPayment.optional(),
  /** Why the latest payment failed, while the campaign waits for one. Only when its owner or an admin loads this one campaign. */
  declinedPayment: DeclinedPayment.optional(),
  /**
   * What the owner owes for payments that banks took back, for any campaign. Until that is settled, this campaign cannot be paid
   * for. Absent if nothing is owed or nothing has to be paid, and for everybody else.
   */
  owedCents: Cents.optional(),
  /**
   * The taken seats whose proof was rejected. They stay taken, with their pay and fee, until the time for an appeal is over
   * (`until`, the latest of them) or an admin has decided on the appeal (`appealed` of them). Null if there are none, and for
   * testers.
   */
  frozen: z.object({ seats: z.int(), appealed: z.int(), until: Instant.nullable() }).nullable(),
  /**
   * A dispute about its payment: since when it has been open, which stops joins, refunds, rejections by the developer and
   * completion, and when it was lost, after which nobody else can join. Null without a dispute, and for testers who have no open
   * test in it.
   */
  dispute: z.object({ since: Instant.nullable(), lostAt: Instant.nullable() }).nullable(),
  /**
   * The testers' pay and the fee that the ledger holds, while they do not follow from the seats: from the beginning of a dispute
   * until the refunds that waited for its end are made. Null otherwise, and for testers.
   */
  held: z.object({ payCents: Cents, feeCents: Cents }).nullable(),
  /**
   * The new payment that the owner is asked for because the old one, which is then refunded, has been in escrow for too long. Null
   * unless an admin has requested it, and for testers.
   */
  renewal: z.object({ askedAt: Instant, amountCents: Cents }).nullable(),
  payPerTesterCents: Cents,
  durationDays: z.int(),
  dailyCheckIn: z.boolean(),
  accessMode: z.enum(accessModes),
  /**
   * The developer's Google Group, whose owner sees its members, so testers see it before they join. With an NDA, only after
   * accepting it.
   */
  groupLink: z.string().nullable(),
  /** The version of the NDA that testers accept before they get the app; null without one. */
  ndaVersion: z.int().nullable(),
  /**
   * The number of questions in the feedback form that is due with the proof; for its testers, in the form that they joined with.
   * 0 without a form.
   */
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
  /** Who paused it, other than its owner: an admin, or the suspension of the owner’s account. Null otherwise, and for testers. */
  pausedBy: z.enum(pausers).nullable(),
  startDate: Instant.nullable(),
  endDate: Instant.nullable(),
  /** When it was completed or cancelled, which may be before `endDate`; null until then. */
  endedAt: Instant.nullable(),
  createdAt: Instant,
  /** When it was last submitted for approval, or when its NDA or feedback form was last changed while it waited. */
  submittedAt: Instant.nullable(),
  /** Since when it waits for approval, whatever was changed meanwhile; null in every other state. */
  waitsSince: Instant.nullable(),
  /** The admin's reason; only while REJECTED. */
  rejectionReason: z.string().nullable(),
  /** The testers' pay that was paid in, minus refunds. */
  fundedCents: Cents,
  /** The platform's fee that was paid in, minus refunds. */
  feeCents: Cents,
  /** The quote: testers × pay, the fee, their sum, and how much of it is outstanding. */
  quotedPayCents: Cents,
  quotedFeeCents: Cents,
  totalCostCents: Cents,
  outstandingCents: Cents,
  _count: z.object({
    /** Seats taken. */
    campaignTesters: z.int(),
    /** Testers who ever joined, including those who left, were dropped or rejected. */
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
  /** The share of tests that their testers gave up, among the newest 1,000 finished ones; an assumption while there are too few. */
  dropOuts: z.object({ finishedTests: z.int(), basisPoints: z.int(), assumed: z.boolean() }),
})
export type NewCampaignTerms = z.output<typeof NewCampaignTerms>
