/** Every slice's endpoints and jobs. Composition only. */
import type { FastifyInstance } from 'fastify'
import { accountApi } from '../../accounts/contract.ts'
import { forgetOldSessions, forgetOldSignIns } from '../../accounts/server/housekeeping.ts'
import { accountHandlers } from '../../accounts/server/handlers.ts'
import { secondFactorApi } from '../../accounts/secondFactorContract.ts'
import { secondFactorHandlers } from '../../accounts/server/secondFactorHandlers.ts'
import { mountStripeWebhook } from '../../ledger/server/stripe/webhook.ts'
import { sweepStripeEvents } from '../../ledger/server/stripe/sweep.ts'
import { sendLink } from '../../accounts/server/emailLinks.ts'
import { sendResetLink } from '../../accounts/server/passwordReset.ts'
import { sendCopy } from '../../accounts/server/securityEmails.ts'
import { leaveAllCampaigns } from '../../people/server/people.ts'
import { peopleHandlers } from '../../people/server/handlers.ts'
import { peopleApi } from '../../people/contract.ts'
import { attachmentApi } from '../../attachments/contract.ts'
import { sweepAttachments } from '../../attachments/server/attachments.ts'
import { attachmentHandlers } from '../../attachments/server/handlers.ts'
import { bugApi } from '../../bugs/contract.ts'
import { bugHandlers } from '../../bugs/server/handlers.ts'
import { changeApi } from '../../changes/contract.ts'
import { changeHandlers } from '../../changes/server/handlers.ts'
import { auditApi } from '../../audit/contract.ts'
import { settingsApi } from '../../settings/contract.ts'
import { settingsHandlers } from '../../settings/server/handlers.ts'
import { auditHandlers } from '../../audit/server/handlers.ts'
import { ndaApi } from '../../nda/contract.ts'
import { ndaHandlers } from '../../nda/server/handlers.ts'
import { reputationApi } from '../../reputation/contract.ts'
import { reputationHandlers } from '../../reputation/server/handlers.ts'
import { activityApi } from '../../activity/contract.ts'
import { campaignApi } from '../../campaigns/contract.ts'
import { activityHandlers } from '../../activity/server/activity.ts'
import { completeCampaigns } from '../../campaigns/server/campaigns.ts'
import { campaignHandlers } from '../../campaigns/server/handlers.ts'
import { eventApi } from '../../events/contract.ts'
import { forgetEvents } from '../../events/server/events.ts'
import { eventHandlers } from '../../events/server/handlers.ts'
import { feedbackApi } from '../../feedback/contract.ts'
import { feedbackHandlers } from '../../feedback/server/handlers.ts'
import { fraudApi } from '../../fraud/contract.ts'
import { fraudHandlers } from '../../fraud/server/handlers.ts'
import { nightlyScan, runScan } from '../../fraud/server/scan.ts'
import { landingApi } from '../../landing/contract.ts'
import { landingHandlers } from '../../landing/server/handlers.ts'
import { mountPlainForm } from '../../landing/server/plainForm.ts'
import { continuityApi } from '../../continuity/contract.ts'
import { continuityHandlers } from '../../continuity/server/handlers.ts'
import { dashboardApi } from '../../dashboards/contract.ts'
import { dashboardHandlers } from '../../dashboards/server/handlers.ts'
import { ledgerApi } from '../../ledger/contract.ts'
import { ledgerHandlers } from '../../ledger/server/handlers.ts'
import { escrowApi } from '../../campaigns/escrowContract.ts'
import { escrowHandlers } from '../../campaigns/server/escrowHandlers.ts'
import { disputesApi } from '../../ledger/disputesContract.ts'
import { disputesHandlers } from '../../ledger/server/disputesHandlers.ts'
import { stuckRefundsHandlers } from '../../ledger/server/stuckRefundsHandlers.ts'
import { stuckRefundsApi } from '../../ledger/stuckRefundsContract.ts'
import { papersApi } from '../../ledger/papersContract.ts'
import { papersHandlers } from '../../ledger/server/papersHandlers.ts'
import { bookLostPayouts, voidLostCharges } from '../../ledger/server/lostMovements.ts'
import { askAgain, endCharge, payRefund, payRefundPart } from '../../ledger/server/calls.ts'
import { payOut, settleOverdue } from '../../ledger/server/payouts.ts'
import { lookAtDifference } from '../../ledger/server/differences.ts'
import { tellOfBreaches } from '../../ledger/server/breaches.ts'
import { settleDisputes } from '../../ledger/server/disputes.ts'
import { tellOfLimitChange } from '../../ledger/server/limitChanges.ts'
import { emptyOldEvents, workOffEvent, workOffEvents } from '../../ledger/server/providerEvents.ts'
import { notificationApi } from '../../notifications/contract.ts'
import { notificationHandlers } from '../../notifications/server/handlers.ts'
import {
  forgetOldNotifications,
  makeDigests,
  mountOneClick,
  sendDigest,
  sendMail,
} from '../../notifications/server/notifications.ts'
import { participationApi } from '../../participations/contract.ts'
import { participationHandlers } from '../../participations/server/handlers.ts'
import { clearContests } from '../../participations/server/contests.ts'
import {
  lookAtAppeals,
  remindTesters,
  settleDowntimes,
  turnBenches,
  wakeParticipations,
} from '../../participations/server/participations.ts'
import { erasePlayAddresses, sealPlayAddressesAgain } from '../../playAddresses/server/housekeeping.ts'
import { booksApi } from '../../books/contract.ts'
import { markBalances } from '../../books/server/books.ts'
import { booksHandlers } from '../../books/server/handlers.ts'
import { operationsApi } from '../../operations/contract.ts'
import { checkChanges, checkData, checkInFull } from '../../operations/server/operations.ts'
import { operationsHandlers } from '../../operations/server/handlers.ts'
import { finishLettingGo, letOldGo } from '../../retention/server/lettingGo.ts'
import { makePartitions } from '../../retention/server/monthsAhead.ts'
import { keepJobsAsSet } from '../../retention/server/retention.ts'
import { testerListApi } from '../../testerLists/contract.ts'
import { testerListHandlers } from '../../testerLists/server/handlers.ts'
import type { Endpoint } from '../../kit/endpoint.ts'
import { reportApi } from '../../reports/contract.ts'
import { reportHandlers } from '../../reports/server/handlers.ts'
import { mount, refuseOtherMethods } from '../../kit/server/http.ts'
import { forgetOldKeys } from '../../kit/server/idempotency.ts'
import { checkFigures, foldFigures } from '../../dashboards/server/rollups.ts'
import type { AnyJob } from '../../kit/server/jobs.ts'
import { mountTestClock } from './testClock.ts'

/** Every endpoint table. The tests of access and of hostile input call all endpoints. */
export const apiTables = {
  accounts: accountApi,
  secondFactor: secondFactorApi,
  people: peopleApi,
  notifications: notificationApi,
  events: eventApi,
  attachments: attachmentApi,
  campaigns: campaignApi,
  nda: ndaApi,
  activity: activityApi,
  feedback: feedbackApi,
  reputation: reputationApi,
  participations: participationApi,
  bugs: bugApi,
  changes: changeApi,
  continuity: continuityApi,
  testerLists: testerListApi,
  reports: reportApi,
  ledger: ledgerApi,
  disputes: disputesApi,
  stuckRefunds: stuckRefundsApi,
  escrow: escrowApi,
  papers: papersApi,
  books: booksApi,
  operations: operationsApi,
  dashboards: dashboardApi,
  audit: auditApi,
  settings: settingsApi,
  fraud: fraudApi,
  landing: landingApi,
} satisfies Record<string, Record<string, Endpoint>>

/** In the order in which the test clock runs them: downtimes, which move deadlines, then deadlines, then what they cause. */
export const allJobs: readonly AnyJob[] = [
  settleDowntimes,
  wakeParticipations,
  lookAtAppeals,
  clearContests,
  remindTesters,
  turnBenches,
  completeCampaigns,
  bookLostPayouts,
  payOut,
  payRefund,
  payRefundPart,
  askAgain,
  endCharge,
  workOffEvents,
  workOffEvent,
  settleDisputes,
  tellOfLimitChange,
  lookAtDifference,
  emptyOldEvents,
  tellOfBreaches,
  settleOverdue,
  sweepStripeEvents,
  voidLostCharges,
  nightlyScan,
  runScan,
  leaveAllCampaigns,
  sendResetLink,
  sendLink,
  sendCopy,
  sendMail,
  makeDigests,
  sendDigest,
  forgetOldKeys,
  forgetOldSignIns,
  forgetOldSessions,
  forgetOldNotifications,
  forgetEvents,
  erasePlayAddresses,
  sealPlayAddressesAgain,
  sweepAttachments,
  makePartitions,
  letOldGo,
  finishLettingGo,
  keepJobsAsSet,
  foldFigures,
  checkFigures,
  markBalances,
  checkData,
  checkChanges,
  checkInFull,
]

/** Deletes and erases what is due. A restored copy runs these before it answers anybody. */
export const dueDeletions: readonly AnyJob[] = [
  erasePlayAddresses,
  sweepAttachments,
  forgetOldKeys,
  forgetOldSignIns,
  forgetOldNotifications,
  forgetOldSessions,
  forgetEvents,
  emptyOldEvents,
]

export const mountRoutes = async (
  app: FastifyInstance,
  env: { FIELDTEST_TEST_CLOCK: boolean; RATE_LIMIT: boolean; REGISTRATIONS_PER_HOUR: number },
): Promise<void> => {
  const accountOptions = { limited: env.RATE_LIMIT, registrationsPerHour: env.REGISTRATIONS_PER_HOUR }
  mount(app, 'accounts', accountApi, accountHandlers(accountOptions))
  mount(app, 'secondFactor', secondFactorApi, secondFactorHandlers)
  mount(app, 'people', peopleApi, peopleHandlers)
  mount(app, 'events', eventApi, eventHandlers)
  mount(app, 'notifications', notificationApi, notificationHandlers({ limited: env.RATE_LIMIT }))
  mount(app, 'attachments', attachmentApi, attachmentHandlers)
  mount(app, 'campaigns', campaignApi, campaignHandlers)
  mount(app, 'nda', ndaApi, ndaHandlers)
  mount(app, 'activity', activityApi, activityHandlers)
  mount(app, 'feedback', feedbackApi, feedbackHandlers)
  mount(app, 'reputation', reputationApi, reputationHandlers)
  mount(app, 'participations', participationApi, participationHandlers)
  mount(app, 'bugs', bugApi, bugHandlers)
  mount(app, 'changes', changeApi, changeHandlers)
  mount(app, 'continuity', continuityApi, continuityHandlers)
  mount(app, 'testerLists', testerListApi, testerListHandlers)
  mount(app, 'reports', reportApi, reportHandlers)
  mount(app, 'ledger', ledgerApi, ledgerHandlers)
  mount(app, 'disputes', disputesApi, disputesHandlers)
  mount(app, 'stuckRefunds', stuckRefundsApi, stuckRefundsHandlers)
  mount(app, 'escrow', escrowApi, escrowHandlers)
  mount(app, 'papers', papersApi, papersHandlers)
  mount(app, 'books', booksApi, booksHandlers)
  mount(app, 'dashboards', dashboardApi, dashboardHandlers)
  mount(app, 'operations', operationsApi, operationsHandlers)
  mount(app, 'audit', auditApi, auditHandlers)
  mount(app, 'settings', settingsApi, settingsHandlers)
  mount(app, 'fraud', fraudApi, fraudHandlers)
  mount(app, 'landing', landingApi, landingHandlers({ limited: env.RATE_LIMIT }))
  await mountPlainForm(app, { limited: env.RATE_LIMIT })
  await mountOneClick(app, { limited: env.RATE_LIMIT })
  await mountStripeWebhook(app)
  if (env.FIELDTEST_TEST_CLOCK) mountTestClock(app)
  refuseOtherMethods(app)
}
