/** A tester's calls about their own tests, from joining to the proof. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, filter } from '../kit/schemas.ts'
import { CampaignQuery } from '../campaigns/contract.ts'
import { AcceptNda } from '../nda/contract.ts'
import { GivenFeedback, TesterFeedback } from '../feedback/contract.ts'
import { CampaignTester, DayCode, OpenedLink } from './entities.ts'
import { AttachmentId, CheckInBody, Joining, Leaving, Proof } from './inputs.ts'
import { accessProblems } from './terms.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'

/** An action that lists further `errors` has to repeat WRONG_STATE. */
export const action = { method: 'POST', params: ById, reply: CampaignTester, errors: ['WRONG_STATE'] } as const
export const onOwn = { ...action, access: 'TESTER' } as const

export const testingEndpoints = endpoints({
  join: {
    method: 'POST',
    path: '/testers/campaigns/:id/join',
    access: 'TESTER',
    summary:
      'Take a seat, or with `waitlist` a place on the bench of a full campaign. 404 unless LIVE; 409 when it is full, joined before, or another tester in it has this Google account; 422 when the device or country does not fit.',
    params: ById,
    body: Joining,
    reply: CampaignTester,
    status: 201,
    idempotent: true,
    errors: [
      'CAMPAIGN_FULL',
      'ALREADY_JOINED',
      'PLAY_ACCOUNT_TAKEN',
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
      /** One text per paragraph; the caller sends `version` back as `consentVersion`. */
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
    summary: 'The caller’s tests, newest first. The search is in title and description of their campaigns.',
    query: CampaignQuery.pick({ search: true, platform: true, limit: true, cursor: true }).extend({
      status: filter(participationStatuses, 'Unknown status'),
    }),
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
  reportNoAccess: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/no-access',
    summary:
      'Report that Google Play does not let the caller in although the developer has confirmed the list: the wait for it begins again. From 3 hours after the confirmation, twice at most.',
    body: z.object({ problem: z.enum(accessProblems, { error: 'Say what Google Play shows' }) }),
    idempotent: true,
    errors: ['WRONG_STATE', 'TOO_EARLY', 'LIMIT_REACHED'],
  },
  optIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/opt-in',
    summary:
      'Confirm the opt-in on Google Play: the days begin. During an opt-in it is confirmed again; a screenshot ends the developer’s doubt.',
    body: z.object({ attachmentId: AttachmentId.nullish() }).nullish(),
    idempotent: true,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
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
      'Accept the present version of the NDA under one’s full name: link and list follow. 409 for an older version, and for anyone not in the test.',
    body: AcceptNda,
    idempotent: true,
  },
  refuseNda: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/refuse-nda',
    summary:
      'Refuse a changed NDA and leave with the pay for the days done, or for a week of waiting for the tester list. 409 if that is less than a given `payCents`.',
    body: Leaving.nullish(),
    idempotent: true,
  },
  checkIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/check-ins',
    summary:
      'Check in for today: once per calendar day in the tester’s time zone. The picture is named by `attachmentId` or, with the same meaning, `screenshot`.',
    body: CheckInBody.nullish(),
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
    summary:
      'Leave the test, without pay; with one day’s pay after a week of waiting for the tester list. 409 if that is less than a given `payCents`.',
    body: Leaving.nullish(),
    idempotent: true,
  },
  acceptSeat: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/accept-seat',
    summary: 'Take the seat that is held for the caller on the bench, or one that is free.',
    idempotent: true,
    errors: ['WRONG_STATE', 'PLAY_ACCOUNT_TAKEN', 'LIMIT_REACHED', 'SUSPENDED'],
  },
})
