/** What happened to a campaign and to the tests in it, newest first: recorded facts, and nothing derived. */
import { z } from 'zod'
import { editableFields } from '../campaigns/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, Id, Instant, KeysetQuery } from '../kit/schemas.ts'
import { RejectionCode } from '../participations/contract.ts'
import { dropReasons } from '../participations/terms.ts'

/** The first of these happened to the campaign, the others to a test in it. */
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
  'REFUNDED',
  'COMPLETED',
  'CANCELLED',
  'TESTER_JOINED',
  'PROOF_SUBMITTED',
  'CHANGES_REQUESTED',
  'TESTER_VERIFIED',
  'TESTER_REJECTED',
  'TESTER_LEFT',
  'TESTER_DROPPED',
  'TESTER_CANCELLED',
] as const
export type CampaignEventKind = (typeof campaignEventKinds)[number]

export const CampaignEvent = z.object({
  id: z.int(),
  at: Instant,
  kind: z.enum(campaignEventKinds),
  /** The tester it happened to, as the developer knows them; null when it happened to the campaign. */
  alias: z.string().nullable(),
  participationId: Id.nullable(),
  /** What was paid, refunded or earned. */
  amountCents: Cents.nullable(),
  /** Why: of a rejection, a declined payment, or what has to change. */
  reason: z.string().nullable(),
  code: RejectionCode.nullable(),
  dropReason: z.enum(dropReasons).nullable(),
  /** True when nobody reviewed the proof in time, and it was verified by itself. */
  bySilence: z.boolean(),
  /** What an edit changed. */
  fields: z.array(z.enum(editableFields)),
})
export type CampaignEvent = z.output<typeof CampaignEvent>

const query = KeysetQuery.extend({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, { error: 'The cursor is not valid for this list' })
    .optional(),
})
export type ActivityQuery = z.output<typeof query>

export const activityApi = endpoints({
  ofCampaign: {
    method: 'GET',
    path: '/campaigns/:id/activity',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'What happened to one’s own campaign and to the tests in it, the newest first; testers under an alias.',
    params: ById,
    query,
    pageOf: CampaignEvent,
  },
  ofTest: {
    method: 'GET',
    path: '/testers/campaign-testers/:id/activity',
    access: 'TESTER',
    summary: 'What happened to one’s own test, the newest first.',
    params: ById,
    query,
    pageOf: CampaignEvent,
  },
})
