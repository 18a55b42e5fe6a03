/** Campaigns: what a developer posts, and its lifecycle from draft to completed (spec §3, §5, §7; product.md §2). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Instant, line, text } from '../kit/schemas.ts'
import { Campaign, NewCampaignTerms } from './entities.ts'
import { AvailableQuery, CampaignChange, NewCampaign, PendingQuery, SortedCampaignQuery } from './inputs.ts'

export { AccessMode, Campaign, CampaignAction, CampaignStatus, NewCampaignTerms, Platform } from './entities.ts'
export {
  AvailableQuery,
  CampaignChange,
  CampaignFilters,
  CampaignQuery,
  NewCampaign,
  PendingQuery,
  SortedCampaignQuery,
} from './inputs.ts'

/**
 * The submission that the admin saw: 409 if another admin has rejected it and it has been submitted again since, or if its NDA or
 * feedback form has changed since.
 */
const decidedSubmission = { submittedAt: Instant.optional() }

/** The links that the admin saw waiting: 409 if the owner has replaced one since, or added the other. */
const decidedLinks = { link: line('Link', 2000).optional(), groupLink: line('Group link', 2000).nullish() }

/** An action that lists further `errors` has to repeat WRONG_STATE. */
const actOn = { method: 'POST', params: ById, reply: Campaign, errors: ['WRONG_STATE'] } as const

const payment = {
  body: z.object({
    amountCents: z
      .number({ error: 'Amount must be a number of cents' })
      .int({ error: 'Amount must be a whole number of cents' }),
  }),
  stepUp: true,
  idempotent: true,
  errors: ['WRONG_STATE', 'WRONG_AMOUNT', 'PAYMENT_DECLINED', 'EMAIL_NOT_CONFIRMED', 'SUSPENDED'],
} as const

export const campaignApi = endpoints({
  list: {
    method: 'GET',
    path: '/campaigns',
    replica: true,
    access: 'SIGNED_IN',
    revalidated: true,
    summary:
      'Campaigns: a developer sees their own, an admin all, a tester those that are LIVE and those that they are in or on the bench of.',
    query: SortedCampaignQuery,
    pageOf: Campaign,
  },
  available: {
    method: 'GET',
    path: '/campaigns/available',
    replica: true,
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'LIVE campaigns with a free seat or an open bench, except those that the caller is or was in.',
    query: AvailableQuery,
    pageOf: Campaign,
  },
  newTerms: {
    method: 'GET',
    path: '/campaigns/new-terms',
    access: 'DEVELOPER',
    summary: 'The fee and deadlines of a campaign created now, and how many testers have given up their tests so far.',
    reply: NewCampaignTerms,
  },
  get: {
    method: 'GET',
    path: '/campaigns/:id',
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'A campaign that the caller may see.',
    params: ById,
    reply: Campaign,
  },
  create: {
    method: 'POST',
    path: '/campaigns',
    access: 'DEVELOPER',
    summary: 'Create a draft, with its quote. 409 if the developer already has as many drafts as the settings allow.',
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
      'Edit a draft or rejected campaign. What is not named stays, also within `filters`. While LIVE or PAUSED, only its texts and links can be changed, and a changed link waits for an admin’s approval.',
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
      'Pay the outstanding amount. 422 for any other amount, 402 if the payment is declined, 429 after ten declined payments in a day.',
    ...payment,
  },
  renew: {
    ...actOn,
    path: '/campaigns/:id/renew',
    access: 'DEVELOPER',
    summary:
      'Make the new payment that an admin has asked for: pays the amount now in escrow, and the same amount of the earlier payments is refunded. 422 for any other amount, 402 if the payment is declined.',
    ...payment,
  },
  submit: {
    ...actOn,
    path: '/campaigns/:id/submit',
    access: 'DEVELOPER',
    summary: 'Submit a fully funded draft for approval. A rejected campaign becomes a draft again when it is edited.',
  },
  start: {
    ...actOn,
    path: '/campaigns/:id/start',
    access: 'DEVELOPER',
    summary: 'Start a campaign, or resume a paused one.',
    errors: ['WRONG_STATE', 'SUSPENDED'],
  },
  pause: {
    ...actOn,
    path: '/campaigns/:id/pause',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'Pause a campaign: no new testers can join; current testers continue.',
  },
  closeSeat: {
    ...actOn,
    path: '/campaigns/:id/close-seat',
    access: 'DEVELOPER',
    summary: 'Close a free seat for good; what was paid for it is refunded immediately. 409 if no seat is free.',
    idempotent: true,
  },
  cancel: {
    ...actOn,
    path: '/campaigns/:id/cancel',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'Cancel a campaign: current testers are paid for the days they completed; the rest is refunded.',
    stepUp: true,
    idempotent: true,
  },
  pending: {
    method: 'GET',
    path: '/admin/campaigns/pending',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Campaigns pending approval, oldest first.',
    query: PendingQuery,
    pageOf: Campaign,
  },
  approve: {
    ...actOn,
    path: '/admin/campaigns/:id/approve',
    access: 'ADMIN',
    summary: 'Approve a campaign, so that its owner can start it.',
    body: z.object(decidedSubmission).nullish(),
  },
  reject: {
    ...actOn,
    path: '/admin/campaigns/:id/reject',
    access: 'ADMIN',
    summary: 'Reject a campaign, with a reason that its owner sees.',
    body: z.object({ reason: text('Reason', 2000), ...decidedSubmission }),
  },
  pendingLinks: {
    method: 'GET',
    path: '/admin/campaigns/pending-links',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Running campaigns with a changed link that is waiting for an admin, oldest first.',
    query: PendingQuery,
    pageOf: Campaign,
  },
  approveLink: {
    ...actOn,
    path: '/admin/campaigns/:id/approve-link',
    access: 'ADMIN',
    summary: 'Approve the changed link: testers get it immediately and are notified.',
    body: z.object(decidedLinks).nullish(),
  },
  rejectLink: {
    ...actOn,
    path: '/admin/campaigns/:id/reject-link',
    access: 'ADMIN',
    summary: 'Reject the changed link, with a reason that the owner sees. Testers keep the old link.',
    body: z.object({ reason: text('Reason', 2000), ...decidedLinks }),
  },
})
