/** Campaigns: what a developer posts, and its lifecycle from draft to completed (spec §3, §5, §7; product.md §2). */
import { z } from 'zod'
import { countryCodeOf } from '../kit/countries.ts'
import { endpoints } from '../kit/endpoint.ts'
import {
  ById,
  Cents,
  filter,
  Id,
  Instant,
  KeysetQuery,
  line,
  optionalLine,
  publicLink,
  SequenceCursor,
  text,
  wholeNumber,
} from '../kit/schemas.ts'
import { accessModes, campaignActions, campaignDefaults, campaignStatuses, limits, platforms } from './terms.ts'

export const CampaignStatus = z.enum(campaignStatuses)
export type CampaignStatus = z.output<typeof CampaignStatus>

const noSuchPlatform = 'Platform must be android or ios'
export const Platform = z.enum(platforms, { error: noSuchPlatform })
export type Platform = z.output<typeof Platform>

export const AccessMode = z.enum(accessModes, {
  error: 'Access must be EMAIL_LIST, GOOGLE_GROUP or OPEN_LINK',
})

export const CampaignAction = z.enum(campaignActions)
export type CampaignAction = z.output<typeof CampaignAction>

/** "13" or "13.1.2"; empty means any. */
const OsVersion = z
  .string({ error: 'The version must be text such as 13 or 13.1' })
  .trim()
  .regex(/^(\d{1,3}(\.\d{1,3}){0,2})?$/, { error: 'The version has to look like 13 or 13.1' })

/** Country names or codes as entered: trimmed, without empty ones (spec §5). */
const Countries = z
  .array(
    z
      .string({ error: 'Countries must be names' })
      .trim()
      .max(60, { error: 'A country may have at most 60 characters' })
      .refine(name => name === '' || countryCodeOf(name) !== null, {
        error: issue => `${JSON.stringify(issue.input)} is not a country we know`,
      }),
    { error: 'Countries must be a list of names' },
  )
  .max(200, { error: 'Choose at most 200 countries' })
  .transform(names => names.filter(name => name !== ''))

export const CampaignFilters = z.object({
  countries: Countries.default([]),
  minAndroidVersion: OsVersion.nullish().transform(version => version || null),
  minIOSVersion: OsVersion.nullish().transform(version => version || null),
})

const texts = {
  title: line('Title', limits.title),
  description: text('Description', limits.description),
  distributionLink: publicLink('Distribution link'),
}

/** What testers are asked to try: a line each, without empty and repeated ones. */
const Features = z
  .array(optionalLine('A feature', limits.feature), { error: 'Features must be a list of lines' })
  .max(limits.features, { error: `List at most ${limits.features} features` })
  .transform(lines => [...new Set(lines.filter(feature => feature !== ''))])

const PayCents = z
  .number({ error: 'Payment per tester must be a number of cents' })
  .int({ error: 'Payment per tester must be a whole number of cents' })
  .min(limits.minPayCents, { error: 'Payment per tester must be at least $1.00' })
  .max(limits.maxPayCents, { error: 'Payment per tester may be at most $10,000.00' })

const terms = {
  platform: Platform,
  testersRequired: wholeNumber('Testers', limits.minTesters, limits.maxTesters),
  payPerTesterCents: PayCents,
  durationDays: wholeNumber('Duration in days', limits.minDays, limits.maxDays),
  filters: CampaignFilters,
  dailyCheckIn: z.boolean({ error: 'Daily check-in must be true or false' }),
  accessMode: AccessMode,
  /** The developer's Google Group, for GOOGLE_GROUP and no other mode. */
  groupLink: publicLink('Group link').nullable(),
  features: Features,
}

export const NewCampaign = z.object({
  ...texts,
  platform: terms.platform.default('android'),
  testersRequired: terms.testersRequired.default(campaignDefaults.testersRequired),
  payPerTesterCents: terms.payPerTesterCents.default(campaignDefaults.payPerTesterCents),
  durationDays: terms.durationDays.default(campaignDefaults.durationDays),
  filters: CampaignFilters.prefault({}),
  dailyCheckIn: terms.dailyCheckIn.default(true),
  accessMode: AccessMode.default('OPEN_LINK'),
  groupLink: terms.groupLink.default(null),
  features: Features.default([]),
})
export type NewCampaign = z.output<typeof NewCampaign>

export const CampaignChange = z
  .object({ ...texts, ...terms })
  .partial()
  .refine(change => Object.keys(change).length > 0, { error: 'Say what should change' })
export type CampaignChange = z.output<typeof CampaignChange>

export const Campaign = z.object({
  id: Id,
  title: z.string(),
  description: z.string(),
  platform: Platform,
  /** Null unless the caller is the owner, an admin, or a tester in it: testers have to join before they get the app. */
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
  payPerTesterCents: Cents,
  durationDays: z.int(),
  dailyCheckIn: z.boolean(),
  accessMode: z.enum(accessModes),
  /** The developer's Google Group, which is shown before joining: its owner sees who is in it. */
  groupLink: z.string().nullable(),
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
  startDate: Instant.nullable(),
  endDate: Instant.nullable(),
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

export const CampaignQuery = KeysetQuery.extend({
  search: optionalLine('Search', 100).optional(),
  platform: filter(platforms, noSuchPlatform),
  status: filter(campaignStatuses, 'There is no such status'),
})
export type CampaignQuery = z.output<typeof CampaignQuery>

export const PendingQuery = CampaignQuery.omit({ status: true }).extend({ cursor: SequenceCursor })
export type PendingQuery = z.output<typeof PendingQuery>

/** The links that the admin saw waiting: 409 if the owner has replaced one since, or added the other. */
const decidedLinks = { link: line('Link', 2000).optional(), groupLink: line('Group link', 2000).nullish() }

/** `errors` of an action that also has others repeat WRONG_STATE. */
const actOn = { method: 'POST', params: ById, reply: Campaign, errors: ['WRONG_STATE'] } as const

export const campaignApi = endpoints({
  list: {
    method: 'GET',
    path: '/campaigns',
    access: 'SIGNED_IN',
    summary: 'A developer’s own campaigns, an admin’s all, for a tester those that are LIVE or that the tester is in.',
    query: CampaignQuery,
    pageOf: Campaign,
  },
  available: {
    method: 'GET',
    path: '/campaigns/available',
    access: 'SIGNED_IN',
    summary: 'LIVE campaigns with an open seat.',
    query: CampaignQuery.omit({ status: true }),
    pageOf: Campaign,
  },
  newTerms: {
    method: 'GET',
    path: '/campaigns/new-terms',
    access: 'DEVELOPER',
    summary: 'The fee and the deadlines of a campaign created now, and how many testers gave up their tests so far.',
    reply: NewCampaignTerms,
  },
  get: {
    method: 'GET',
    path: '/campaigns/:id',
    access: 'SIGNED_IN',
    summary: 'One campaign that the caller may see.',
    params: ById,
    reply: Campaign,
  },
  create: {
    method: 'POST',
    path: '/campaigns',
    access: 'DEVELOPER',
    summary: 'Create a draft with its quote. 409 when the developer has as many drafts as the settings allow.',
    body: NewCampaign,
    reply: Campaign,
    status: 201,
    idempotent: true,
    errors: ['LIMIT_REACHED', 'SUSPENDED'],
  },
  update: {
    method: 'PATCH',
    path: '/campaigns/:id',
    access: 'DEVELOPER',
    summary:
      'Change a draft or a rejected campaign; while LIVE or PAUSED only its texts and its links. A changed link then waits for an admin.',
    params: ById,
    body: CampaignChange,
    reply: Campaign,
    errors: ['WRONG_STATE'],
  },
  fund: {
    ...actOn,
    path: '/campaigns/:id/fund',
    access: 'DEVELOPER',
    summary:
      'Pay the outstanding amount: 422 for any other amount, 402 when the payment is declined, 429 after ten of these a day.',
    stepUp: true,
    body: z.object({
      amountCents: z
        .number({ error: 'Amount must be a number of cents' })
        .int({ error: 'Amount must be a whole number of cents' })
        .min(1, { error: 'Amount must be at least 1 cent' }),
    }),
    idempotent: true,
    errors: ['WRONG_STATE', 'WRONG_AMOUNT', 'PAYMENT_DECLINED', 'EMAIL_NOT_CONFIRMED', 'SUSPENDED'],
  },
  submit: {
    ...actOn,
    path: '/campaigns/:id/submit',
    access: 'DEVELOPER',
    summary: 'Submit a fully funded draft for approval; a rejected campaign becomes a draft again by an edit.',
  },
  start: {
    ...actOn,
    path: '/campaigns/:id/start',
    access: 'DEVELOPER',
    summary: 'Start, or resume after a pause.',
    errors: ['WRONG_STATE', 'SUSPENDED'],
  },
  pause: {
    ...actOn,
    path: '/campaigns/:id/pause',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'Pause: no new testers can join, current ones continue.',
  },
  closeSeat: {
    ...actOn,
    path: '/campaigns/:id/close-seat',
    access: 'DEVELOPER',
    summary: 'Close a free seat for good: what was paid for it is refunded at once. 409 when no seat is free.',
    idempotent: true,
  },
  cancel: {
    ...actOn,
    path: '/campaigns/:id/cancel',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'Cancel: current testers are paid for the days they did, the rest is refunded.',
    stepUp: true,
    idempotent: true,
  },
  pending: {
    method: 'GET',
    path: '/admin/campaigns/pending',
    access: 'ADMIN',
    summary: 'Campaigns pending approval, oldest first.',
    query: PendingQuery,
    pageOf: Campaign,
  },
  approve: {
    ...actOn,
    path: '/admin/campaigns/:id/approve',
    access: 'ADMIN',
    summary: 'Approve, so that the owner can start it.',
  },
  reject: {
    ...actOn,
    path: '/admin/campaigns/:id/reject',
    access: 'ADMIN',
    summary: 'Reject, with a reason that the owner sees.',
    body: z.object({ reason: text('Reason', 2000) }),
  },
  pendingLinks: {
    method: 'GET',
    path: '/admin/campaigns/pending-links',
    access: 'ADMIN',
    summary: 'Running campaigns with a changed link that waits for an admin, oldest first.',
    query: PendingQuery,
    pageOf: Campaign,
  },
  approveLink: {
    ...actOn,
    path: '/admin/campaigns/:id/approve-link',
    access: 'ADMIN',
    summary: 'Approve the changed link: testers get it at once, and are told.',
    body: z.object(decidedLinks).nullish(),
  },
  rejectLink: {
    ...actOn,
    path: '/admin/campaigns/:id/reject-link',
    access: 'ADMIN',
    summary: 'Reject the changed link, with a reason that the owner sees: testers keep the old one.',
    body: z.object({ reason: text('Reason', 2000), ...decidedLinks }),
  },
})
