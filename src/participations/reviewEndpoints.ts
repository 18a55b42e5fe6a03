/** Decisions on a test: on proofs, on rejections and the appeals against them, and on contested opt-ins. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, filter, Id, Instant, KeysetQuery, SequenceQuery, longText, text } from '../kit/schemas.ts'
import { TestFeedback } from '../feedback/contract.ts'
import {
  AppealCase,
  CampaignTester,
  ContestedOptIn,
  RejectionCode,
  RejectionConsent,
  VerifyResult,
  WaitingAppeal,
  WaitingRejection,
} from './entities.ts'
import { DecidedProof, NewAppeal } from './inputs.ts'
import {
  appealDecisions,
  appealHours,
  consentDecisions,
  contestDecisions,
  maxVerifiedAtOnce,
  minRejectionReason,
} from './terms.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'
import { action, onOwn } from './testingEndpoints.ts'

const onTester = { ...action, access: ['DEVELOPER', 'ADMIN'] } as const
const onOwnTester = { ...action, access: 'DEVELOPER' } as const

export const reviewEndpoints = endpoints({
  ofCampaign: {
    method: 'GET',
    path: '/campaigns/:id/testers',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
    summary: 'The testers of the caller’s campaign, by alias, in the order they joined.',
    params: ById,
    query: KeysetQuery.extend({ status: filter(participationStatuses, 'Unknown status') }),
    pageOf: CampaignTester,
  },
  verify: {
    ...onTester,
    path: '/campaign-testers/:id/verify',
    summary:
      'Verify the proof and pay the tester. `proofSubmittedAt`, here and in the other decisions, names the proof that was read: 409 if the tester has submitted another since.',
    stepUp: true,
    body: DecidedProof.nullish(),
    idempotent: true,
  },
  verifyAll: {
    method: 'POST',
    path: '/campaign-testers/verify-all',
    access: 'DEVELOPER',
    summary: 'Verify up to 100 proofs and pay their testers. Each proof is either verified or refused with a reason.',
    stepUp: true,
    body: z
      .object({
        ids: z
          .array(Id, { error: 'Choose the tests to verify' })
          .min(1, { error: 'Choose at least one test' })
          .max(maxVerifiedAtOnce, { error: `Choose at most ${maxVerifiedAtOnce} tests` }),
        /** When the proof of each of `ids` was submitted, in their order. */
        proofsSubmittedAt: z.array(Instant).max(maxVerifiedAtOnce).optional(),
      })
      .refine(({ ids, proofsSubmittedAt: times }) => !times || times.length === ids.length, {
        path: ['proofsSubmittedAt'],
        error: 'Give one time for each test',
      }),
    /** One result per test, in the order given; a test that is given twice has one. */
    reply: z.object({ results: z.array(VerifyResult) }),
    idempotent: true,
  },
  requestChanges: {
    ...onTester,
    path: '/campaign-testers/:id/request-changes',
    summary:
      'Request changes to the proof. 409 while the tester’s account is suspended, because nobody could make them.',
    body: DecidedProof.extend({ note: text('The note', 2000) }),
    idempotent: true,
  },
  reject: {
    ...onTester,
    path: '/campaign-testers/:id/reject',
    summary: `Reject the proof, with a code and a reason. Its seat and money stay frozen for ${appealHours} hours, during which the tester may appeal. If the developer’s rejections need consent, an admin is asked first and the proof stays submitted.`,
    stepUp: true,
    body: DecidedProof.extend({
      code: RejectionCode,
      reason: longText('The reason', {
        min: minRejectionReason,
        max: 2000,
        error: `Give a reason of at least ${minRejectionReason} characters`,
      }),
    }),
    idempotent: true,
  },
  rejectionConsent: {
    method: 'GET',
    path: '/users/me/rejection-consent',
    access: 'DEVELOPER',
    summary: 'Whether the caller’s rejections need an admin’s consent, and why.',
    reply: RejectionConsent,
  },
  rejections: {
    method: 'GET',
    path: '/admin/rejections',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Rejections waiting for an admin’s consent, oldest first.',
    query: SequenceQuery,
    pageOf: WaitingRejection,
  },
  decideRejection: {
    ...action,
    access: 'ADMIN',
    path: '/admin/campaign-testers/:id/decide-rejection',
    summary:
      'Decide on a rejection that needs consent: CONSENT rejects the proof; REFUSE leaves it to be verified. The developer sees the note.',
    stepUp: true,
    body: z.object({
      decision: z.enum(consentDecisions, { error: 'Decision must be CONSENT or REFUSE' }),
      note: text('The note', 2000),
    }),
    idempotent: true,
  },
  appeal: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/appeal',
    summary: `Appeal a rejection, once and within ${appealHours} hours. An admin decides; the money stays frozen until then.`,
    body: NewAppeal,
    idempotent: true,
  },
  appeals: {
    method: 'GET',
    path: '/admin/appeals',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Appeals waiting for a decision, oldest first.',
    query: SequenceQuery,
    pageOf: WaitingAppeal,
  },
  appealCase: {
    method: 'GET',
    path: '/admin/appeals/:id',
    access: 'ADMIN',
    revalidated: true,
    summary: 'One appeal, decided or not, with the evidence from both sides. The id is the campaign tester’s.',
    params: ById,
    reply: AppealCase,
  },
  decideAppeal: {
    ...action,
    access: 'ADMIN',
    path: '/admin/campaign-testers/:id/decide-appeal',
    summary:
      'Decide on an appeal: VERIFY pays the tester, UPHOLD frees the seat or refunds it. Both sides see the note.',
    stepUp: true,
    body: z.object({
      decision: z.enum(appealDecisions, { error: 'Decision must be VERIFY or UPHOLD' }),
      note: text('The note', 2000),
    }),
    idempotent: true,
  },
  testFeedback: {
    method: 'GET',
    path: '/campaign-testers/:id/feedback',
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
    summary: 'The tester’s answers to the feedback form, for whoever reviews the proof.',
    params: ById,
    reply: TestFeedback,
  },
  nudge: {
    ...onOwnTester,
    path: '/campaign-testers/:id/nudge',
    summary: 'Remind the tester of their next step, at most once a day.',
    idempotent: true,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  contestOptIn: {
    ...onOwnTester,
    path: '/campaign-testers/:id/contest-opt-in',
    summary: 'Contest an opt-in, once. It does not count toward the clock until it is cleared.',
    body: z.object({ reason: text('The reason', 2000) }),
    idempotent: true,
  },
  contested: {
    method: 'GET',
    path: '/admin/campaign-testers/contested',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Contested opt-ins waiting for a decision, oldest first.',
    query: SequenceQuery,
    pageOf: ContestedOptIn,
  },
  decideOptIn: {
    ...action,
    access: 'ADMIN',
    path: '/admin/campaign-testers/:id/decide-opt-in',
    summary: 'Decide on a contested opt-in: CLEAR makes it count from its start; VOID ends it.',
    body: z.object({
      decision: z.enum(contestDecisions, { error: 'Decision must be CLEAR or VOID' }),
      note: text('The note', 2000),
    }),
    idempotent: true,
  },
})
