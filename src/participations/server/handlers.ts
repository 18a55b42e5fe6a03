import type { Handlers } from '../../kit/endpoint.ts'
import type { participationApi } from '../contract.ts'
import * as appeals from './appeals.ts'
import { acceptSeat } from './bench.ts'
import * as consent from './consent.ts'
import * as contests from './contests.ts'
import { join, joinForm } from './joining.ts'
import { acceptNda, refuseNda } from './nda.ts'
import { nudge } from './nudging.ts'
import * as optIn from './optIn.ts'
import * as ownTest from './ownTest.ts'
import * as participations from './participations.ts'
import * as review from './review.ts'

export const participationHandlers: Handlers<typeof participationApi> = {
  join: ({ user, params, body }) => join(user, params.id, body),
  joinForm: ({ user, params }) => joinForm(user, params.id),
  mine: ({ user, query }) => participations.mine(user, query),
  own: ({ user, params }) => participations.get(user, params.id),
  openLink: ({ user, params }) => optIn.openLink(user, params.id),
  optIn: ({ user, params, body }) => optIn.optIn(user, params.id, body?.attachmentId),
  optOut: ({ user, params }) => optIn.optOut(user, params.id),
  acceptNda: ({ user, params, body, caller }) => acceptNda(user, params.id, body, caller.ip),
  refuseNda: ({ user, params }) => refuseNda(user, params.id),
  checkIn: ({ user, params, body }) => ownTest.checkIn(user, params.id, body ?? {}),
  dayCode: ({ user, params }) => ownTest.dayCode(user, params.id),
  submitProof: ({ user, params, body }) => ownTest.submitProof(user, params.id, body.proof, body.feedback),
  feedback: ({ user, params }) => ownTest.feedbackOf(user, params.id),
  answerFeedback: ({ user, params, body }) => ownTest.answerFeedback(user, params.id, body),
  testFeedback: ({ user, params }) => ownTest.testFeedbackOf(user, params.id),
  leave: ({ user, params }) => ownTest.leave(user, params.id),
  acceptSeat: async ({ user, params }) => {
    await acceptSeat(user, params.id)
    return participations.get(user, params.id)
  },
  ofCampaign: ({ user, params, query }) => participations.ofCampaign(user, params.id, query),
  verify: ({ user, params, idempotencyKey }) => review.verify(user, params.id, idempotencyKey),
  verifyAll: async ({ user, body, idempotencyKey }) => ({
    results: await review.verifyAll(user, body.ids, idempotencyKey),
  }),
  requestChanges: ({ user, params, body }) => review.requestChanges(user, params.id, body.note),
  reject: ({ user, params, body, idempotencyKey }) => review.reject(user, params.id, body, idempotencyKey),
  appeal: ({ user, params, body }) => appeals.appeal(user, params.id, body),
  appeals: ({ query }) => appeals.waiting(query),
  appealCase: ({ user, params }) => appeals.caseOf(user, params.id),
  decideAppeal: ({ user, params, body, idempotencyKey }) => appeals.decide(user, params.id, body, idempotencyKey),
  rejectionConsent: ({ user }) => consent.consentOf(user.id),
  rejections: ({ query }) => consent.waitingForConsent(query),
  decideRejection: ({ user, params, body }) => consent.decideRejection(user, params.id, body),
  nudge: ({ user, params }) => nudge(user, params.id),
  contestOptIn: ({ user, params, body }) => contests.contestOptIn(user, params.id, body.reason),
  contested: ({ query }) => contests.contestedOptIns(query),
  decideOptIn: ({ user, params, body }) => contests.decideOptIn(user, params.id, body),
}
