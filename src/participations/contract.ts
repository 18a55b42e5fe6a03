/** Participations: a tester's place in a campaign, the spec's "campaign tester" (spec §3, §7; product.md §3). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, filter, Id, KeysetQuery, SequenceQuery, text } from '../kit/schemas.ts'
import { AcceptNda } from '../nda/contract.ts'
import {
  AppealCase,
  CampaignTester,
  ContestedOptIn,
  DayCode,
  OpenedLink,
  RejectionCode,
  RejectionConsent,
  VerifyResult,
  WaitingAppeal,
  WaitingRejection,
} from './entities.ts'
import { GivenFeedback, TesterFeedback, TestFeedback } from '../feedback/contract.ts'
import { AttachmentId, Joining, NewAppeal, NewCheckIn, Proof } from './inputs.ts'
import {
  appealDecisions,
  appealHours,
  consentDecisions,
  contestDecisions,
  maxVerifiedAtOnce,
  minRejectionReason,
  participationStatuses,
} from './terms.ts'

export {
  AppealCase,
  CampaignTester,
  CheckIn,
  ContestedOptIn,
  DayCode,
  type DropReason,
  OpenedLink,
  ParticipationAction,
  ParticipationStatus,
  RejectionCode,
  RejectionConsent,
  VerifyResult,
  WaitingAppeal,
  WaitingRejection,
} from './entities.ts'
export { DeviceInfo, Joining, NewAppeal, NewCheckIn, Proof } from './inputs.ts'

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
    idempotent: true,
    errors: [
      'CAMPAIGN_FULL',
      'ALREADY_JOINED',
      'DEVICE_DOES_NOT_FIT',
      'EMAIL_NOT_CONFIRMED',
      'SUSPENDED',
      'LIMIT_REACHED',
      'WRONG_STATE',
    ],
  },
  joinForm: {
    method: 'GET',
    path: '/testers/campaigns/:id/join-form',
    access: 'TESTER',
    summary:
      'What joining asks for: the caller’s last Play address and the text to agree to, both null without a list, and the device of the last test.',
    params: ById,
    reply: z.object({
      playEmail: z.string().nullable(),
      /** A paragraph each; `version` is sent back as `consentVersion`. */
      consent: z.object({ version: z.int(), text: z.array(z.string()) }).nullable(),
      /** Null before the first test. */
      device: CampaignTester.shape.deviceInfo.nullable(),
    }),
  },
  mine: {
    method: 'GET',
    path: '/testers/my-campaigns',
    replica: true,
    access: 'TESTER',
    revalidated: true,
    summary: 'The caller’s tests, newest first.',
    query: KeysetQuery.extend({ status: filter(participationStatuses, 'There is no such status') }),
    pageOf: CampaignTester,
  },
  own: {
    method: 'GET',
    path: '/testers/campaign-testers/:id',
    access: 'TESTER',
    revalidated: true,
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
    idempotent: true,
  },
  optOut: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/opt-out',
    summary: 'Say that the opt-in has ended: the next one begins at day 1, and the third time gives up the seat.',
    idempotent: true,
  },
  acceptNda: {
    ...onOwn,
    path: '/campaigns/:id/nda/accept',
    summary:
      'Accept the present version of the NDA under one’s full name: link and list follow. 409 for an older version, and for who is not in the test.',
    body: AcceptNda,
    idempotent: true,
  },
  refuseNda: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/refuse-nda',
    summary: 'Refuse a changed NDA and leave with the pay for the days done.',
    idempotent: true,
  },
  checkIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/check-ins',
    summary: 'Check in for today: once per calendar day in the tester’s time zone.',
    body: NewCheckIn.nullish(),
    status: 201,
    idempotent: true,
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
    summary:
      'Submit the proof: once the days have passed, and again after changes were requested. 400 without the answers that the campaign’s feedback form requires.',
    body: z.object({ proof: Proof, feedback: GivenFeedback.optional() }),
    idempotent: true,
    errors: ['WRONG_STATE', 'TOO_EARLY'],
  },
  feedback: {
    method: 'GET',
    path: '/testers/campaign-testers/:id/feedback',
    access: 'TESTER',
    summary: 'The feedback form that is due with the proof of the caller’s test, and what was answered before.',
    params: ById,
    reply: TesterFeedback,
  },
  answerFeedback: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/feedback',
    summary: 'Answer the feedback form before the proof, or again until the proof is submitted.',
    body: GivenFeedback,
    reply: TesterFeedback,
    idempotent: true,
  },
  leave: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/leave',
    summary: 'Leave the test, without pay; with one day’s pay after a week of waiting for the tester list.',
    idempotent: true,
  },
  acceptSeat: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/accept-seat',
    summary: 'Take the seat that is held for the caller on the bench, or one that is free.',
    idempotent: true,
    errors: ['WRONG_STATE', 'LIMIT_REACHED', 'SUSPENDED'],
  },
  ofCampaign: {
    method: 'GET',
    path: '/campaigns/:id/testers',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
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
    idempotent: true,
  },
  reject: {
    ...onTester,
    path: '/campaign-testers/:id/reject',
    summary: `Reject the proof with a code and a reason. Its seat and money stay frozen for ${appealHours} hours, in which the tester may appeal. For developers whose rejections need consent it asks an admin instead, and the proof stays submitted.`,
    stepUp: true,
    body: z.object({
      code: RejectionCode,
      reason: text('The reason', 2000).min(minRejectionReason, {
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
    summary: 'Rejections that wait for an admin’s consent, oldest first.',
    query: SequenceQuery,
    pageOf: WaitingRejection,
  },
  decideRejection: {
    ...action,
    access: 'ADMIN',
    path: '/admin/campaign-testers/:id/decide-rejection',
    summary:
      'Decide on a rejection that needs consent: CONSENT rejects the proof, REFUSE leaves it to be verified. The developer sees the note.',
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
    summary: `Appeal against a rejection, once and within ${appealHours} hours. An admin decides; the money stays frozen until then.`,
    body: NewAppeal,
    idempotent: true,
  },
  appeals: {
    method: 'GET',
    path: '/admin/appeals',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Appeals that wait for a decision, oldest first.',
    query: SequenceQuery,
    pageOf: WaitingAppeal,
  },
  appealCase: {
    method: 'GET',
    path: '/admin/appeals/:id',
    access: 'ADMIN',
    revalidated: true,
    summary: 'One appeal, decided or not, with the evidence of both sides. The id is the campaign tester’s.',
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
    summary: 'What the tester answered to the feedback form, for who reviews the proof.',
    params: ById,
    reply: TestFeedback,
  },
  nudge: {
    ...onOwnTester,
    path: '/campaign-testers/:id/nudge',
    summary: 'Remind the tester of the next step, once a day.',
    idempotent: true,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  contestOptIn: {
    ...onOwnTester,
    path: '/campaign-testers/:id/contest-opt-in',
    summary: 'Doubt an opt-in, once: it does not count for the clock until it is cleared.',
    body: z.object({ reason: text('The reason', 2000) }),
    idempotent: true,
  },
  contested: {
    method: 'GET',
    path: '/admin/campaign-testers/contested',
    replica: true,
    access: 'ADMIN',
    revalidated: true,
    summary: 'Contested opt-ins that wait for a decision, oldest first.',
    query: SequenceQuery,
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
    idempotent: true,
  },
})
