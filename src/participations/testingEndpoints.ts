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
      'Take a seat or, with `waitlist`, a place on the bench of a full campaign. 404 unless LIVE; 409 if it is full, the caller has joined before, or another of its testers has this Google account; 422 if the device or country does not fit.',
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
      'What joining requires: the caller’s last Play address and the text to agree to (both null without a list), and the device of their last test.',
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
    summary: 'The caller’s tests, newest first. The search covers the titles and descriptions of their campaigns.',
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
    summary: 'The link to the app, and the Google account to open it with. The first call is recorded.',
    reply: OpenedLink,
  },
  reportNoAccess: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/no-access',
    summary:
      'Report that Google Play does not let the caller in although the developer has confirmed the list; the caller is then waiting again. From 3 hours after the confirmation, at most twice.',
    body: z.object({ problem: z.enum(accessProblems, { error: 'Choose what Google Play shows' }) }),
    idempotent: true,
    errors: ['WRONG_STATE', 'TOO_EARLY', 'LIMIT_REACHED'],
  },
  optIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/opt-in',
    summary:
      'Confirm the opt-in on Google Play: the days begin. Can be called again during an opt-in; a screenshot then clears the developer’s contest.',
    body: z.object({ attachmentId: AttachmentId.nullish() }).nullish(),
    idempotent: true,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  optOut: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/opt-out',
    summary: 'Report that the opt-in has ended. The next one begins at day 1; the third opt-out gives up the seat.',
    idempotent: true,
  },
  acceptNda: {
    ...onOwn,
    path: '/campaigns/:id/nda/accept',
    summary:
      'Accept the current version of the NDA with one’s full name; access to the app follows. 409 for an older version, and for anyone not in the test.',
    body: AcceptNda,
    idempotent: true,
  },
  refuseNda: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/refuse-nda',
    summary:
      'Refuse a changed NDA and leave, with pay for the days completed or for a week of waiting for the tester list. 409 if that is less than `payCents`, if given.',
    body: Leaving.nullish(),
    idempotent: true,
  },
  checkIn: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/check-ins',
    summary:
      'Check in for today, once per calendar day in the tester’s time zone. `attachmentId` is the picture; `screenshot` means the same.',
    body: CheckInBody.nullish(),
    status: 201,
    idempotent: true,
    errors: ['WRONG_STATE', 'ALREADY_CHECKED_IN'],
  },
  dayCode: {
    method: 'GET',
    path: '/testers/campaign-testers/:id/day-code',
    access: 'TESTER',
    summary: 'Today’s code, to be shown in the screenshot.',
    params: ById,
    reply: DayCode,
  },
  submitProof: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/proof',
    summary:
      'Submit the proof once the days have passed, and again after changes were requested. 400 without the answers that the campaign’s feedback form requires.',
    body: z.object({ proof: Proof, feedback: GivenFeedback.optional() }),
    idempotent: true,
    errors: ['WRONG_STATE', 'TOO_EARLY'],
  },
  feedback: {
    method: 'GET',
    path: '/testers/campaign-testers/:id/feedback',
    access: 'TESTER',
    summary: 'The feedback form that is due with the proof of the caller’s test, with any earlier answers.',
    params: ById,
    reply: TesterFeedback,
  },
  answerFeedback: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/feedback',
    summary: 'Answer the feedback form, or change the answers, until the proof is submitted.',
    body: GivenFeedback,
    reply: TesterFeedback,
    idempotent: true,
  },
  leave: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/leave',
    summary:
      'Leave the test: without pay, or with one day’s pay after a week of waiting for the tester list. 409 if that is less than `payCents`, if given.',
    body: Leaving.nullish(),
    idempotent: true,
  },
  acceptSeat: {
    ...onOwn,
    path: '/testers/campaign-testers/:id/accept-seat',
    summary:
      'For a caller on the bench: take the seat held for them, or a free one. 422 if their country does not fit any more.',
    idempotent: true,
    errors: [
      'WRONG_STATE',
      'PLAY_ACCOUNT_TAKEN',
      'DEVICE_DOES_NOT_FIT',
      'EMAIL_NOT_CONFIRMED',
      'LIMIT_REACHED',
      'SUSPENDED',
    ],
  },
})
