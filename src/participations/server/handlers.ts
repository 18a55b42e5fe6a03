import type { Handlers } from '../../kit/endpoint.ts'
import type { participationApi } from '../contract.ts'
import * as appeals from './appeals.ts'
import { acceptOffer } from './joining.ts'
import * as consent from './consent.ts'
import * as contests from './contests.ts'
import { join, joinForm } from './joining.ts'
import { acceptNda, refuseNda } from './nda.ts'
import { reportNoAccess } from './noAccess.ts'
import { nudge } from './nudging.ts'
import * as optIn from './optIn.ts'
import * as ownTest from './ownTest.ts'
import * as participations from './participations.ts'
import * as review from './review.ts'

export const participationHandlers: Handlers<typeof participationApi> = {
  join: ({ user, params, body, idempotencyKey }) => join(user, params.id, body, idempotencyKey),
  joinForm: ({ user, params }) => joinForm(user, params.id),
  mine: ({ user, query }) => participations.mine(user, query),
  own: ({ user, params }) => participations.get(user, params.id),
  openLink: ({ user, params }) => optIn.openLink(user, params.id),
  reportNoAccess: ({ user, params, body, idempotencyKey }) =>
    reportNoAccess(user, params.id, body.problem, idempotencyKey),
  optIn: ({ user, params, body, idempotencyKey }) => optIn.optIn(user, params.id, body?.attachmentId, idempotencyKey),
  optOut: ({ user, params, idempotencyKey }) => optIn.optOut(user, params.id, idempotencyKey),
  acceptNda: ({ user, params, body, caller, idempotencyKey: key }) =>
    acceptNda(user, params.id, body, { ip: caller.ip, key }),
  refuseNda: ({ user, params, body, idempotencyKey }) => refuseNda(user, params.id, body ?? {}, idempotencyKey),
  checkIn: ({ user, params, body, idempotencyKey }) => ownTest.checkIn(user, params.id, body ?? {}, idempotencyKey),
  dayCode: ({ user, params }) => ownTest.dayCode(user, params.id),
  submitProof: ({ user, params, body, idempotencyKey }) => ownTest.submitProof(user, params.id, body, idempotencyKey),
  feedback: ({ user, params }) => ownTest.feedbackOf(user, params.id),
  answerFeedback: ({ user, params, body, idempotencyKey }) =>
    ownTest.answerFeedback(user, params.id, body, idempotencyKey),
  testFeedback: ({ user, params }) => ownTest.testFeedbackOf(user, params.id),
  leave: ({ user, params, body, idempotencyKey }) => ownTest.leave(user, params.id, body ?? {}, idempotencyKey),
  acceptSeat: ({ user, params, idempotencyKey }) => acceptOffer(user, params.id, idempotencyKey),
  ofCampaign: ({ user, params, query }) => participations.ofCampaign(user, params.id, query),
  verify: ({ user, params, body, idempotencyKey }) => review.verify(user, params.id, body ?? {}, idempotencyKey),
  verifyAll: async ({ user, body, idempotencyKey }) => ({
    results: await review.verifyAll(user, body, idempotencyKey),
  }),
  requestChanges: ({ user, params, body, idempotencyKey }) =>
    review.requestChanges(user, params.id, body, idempotencyKey),
  reject: ({ user, params, body, idempotencyKey }) => review.reject(user, params.id, body, idempotencyKey),
  appeal: ({ user, params, body, idempotencyKey }) => appeals.appeal(user, params.id, body, idempotencyKey),
  appeals: ({ query }) => appeals.waiting(query),
  appealCase: ({ user, params }) => appeals.caseOf(user, params.id),
  decideAppeal: ({ user, params, body, idempotencyKey }) => appeals.decide(user, params.id, body, idempotencyKey),
  rejectionConsent: ({ user }) => consent.consentOf(user.id),
  rejections: ({ query }) => consent.waitingForConsent(query),
  decideRejection: ({ user, params, body, idempotencyKey }) =>
    consent.decideRejection(user, params.id, body, idempotencyKey),
  nudge: ({ user, params, idempotencyKey }) => nudge(user, params.id, idempotencyKey),
  contestOptIn: ({ user, params, body, idempotencyKey }) =>
    contests.contestOptIn(user, params.id, body.reason, idempotencyKey),
  contested: ({ query }) => contests.contestedOptIns(query),
  decideOptIn: ({ user, params, body, idempotencyKey }) => contests.decideOptIn(user, params.id, body, idempotencyKey),
}
