/** Events of a campaign and its tests, newest first: recorded facts, nothing derived. */
import { z } from 'zod'
import { editableFields, pausers } from '../campaigns/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, Id, Instant, SequenceQuery } from '../kit/schemas.ts'
import { RejectionCode } from '../participations/contract.ts'
import { dropReasons } from '../participations/terms.ts'

/** Shown to the owner and to admins only; the tester does not see it (decision 039). */
export const ownersEventKinds = ['CONSENT_ASKED', 'CONSENT_GIVEN', 'CONSENT_REFUSED', 'CONSENT_LAPSED'] as const

/** Events of the campaign first, then events of a test. */
export const campaignEventKinds = [
  'CREATED',
  'EDITED',
  'PAID',
  'PAYMENT_DECLINED',
  'SUBMITTED',
  'APPROVED',
  'REJECTED',
  'STARTED',
  'PAUSED',
  'RESUMED',
  'LINK_REQUESTED',
  'LINK_WITHDRAWN',
  'LINK_APPROVED',
  'LINK_REJECTED',
  'LIST_EXPORTED',
  'LIST_CONFIRMED',
  'FORM_SAVED',
  'APPLIED',
  'SEAT_CLOSED',
  'REFUNDED',
  'COMPLETED',
  'CANCELLED',
  'TESTER_JOINED',
  'TESTER_LISTED',
  'TESTER_NOT_LET_IN',
  'TESTER_OPTED_IN',
  'TESTER_OPTED_OUT',
  'OPT_IN_CONTESTED',
  'OPT_IN_CLEARED',
  'OPT_IN_VOIDED',
  'PROOF_SUBMITTED',
  'CHANGES_REQUESTED',
  'TESTER_VERIFIED',
  'TESTER_REJECTED',
  'TESTER_APPEALED',
  'APPEAL_GRANTED',
  'REJECTION_UPHELD',
  'REJECTION_FINAL',
  'GOODWILL_PAID',
  'TESTER_LEFT',
  'TESTER_DROPPED',
  'TESTER_CANCELLED',
  ...ownersEventKinds,
] as const
export type CampaignEventKind = (typeof campaignEventKinds)[number]

export const CampaignEvent = z.object({
  id: z.int(),
  at: Instant,
  kind: z.enum(campaignEventKinds),
  /** The tester's alias; null for an event of the campaign. */
  alias: z.string().nullable(),
  participationId: Id.nullable(),
  /** The amount paid, refunded or earned. */
  amountCents: Cents.nullable(),
  /** The reason for a rejection or a decline, the changes that were requested, what kept a tester out, or an admin's note. */
  reason: z.string().nullable(),
  code: RejectionCode.nullable(),
  dropReason: z.enum(dropReasons).nullable(),
  /** True when the proof was auto-verified because it was not decided in time. */
  bySilence: z.boolean(),
  /**
   * Who paused or cancelled the campaign, or decided on the proof, if not the owner. Also null for most events from before this
   * was recorded.
   */
  by: z.enum(pausers).nullable(),
  /** The app link that was requested, approved or rejected. */
  link: z.string().nullable(),
  /** True when that is the link of the Google Group. */
  ofGroup: z.boolean(),
  /** How many questions the saved feedback form has. */
  questions: z.int().nullable(),
  /** The aliases of the testers who came off the list with this confirmation. */
  removed: z.array(z.string()),
  /** The fields that an edit changed. */
  fields: z.array(z.enum(editableFields)),
})
export type CampaignEvent = z.output<typeof CampaignEvent>

const query = SequenceQuery
export type ActivityQuery = z.output<typeof query>

export const activityApi = endpoints({
  ofCampaign: {
    method: 'GET',
    path: '/campaigns/:id/activity',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
    summary: 'Activity of a campaign and its tests, newest first. Testers appear under an alias.',
    params: ById,
    query,
    pageOf: CampaignEvent,
  },
  ofTest: {
    method: 'GET',
    path: '/testers/campaign-testers/:id/activity',
    access: 'TESTER',
    revalidated: true,
    summary: 'Activity of the caller’s own test, newest first.',
    params: ById,
    query,
    pageOf: CampaignEvent,
  },
})
