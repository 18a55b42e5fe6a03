/** Enums of participations. No schemas: a first screen that imports them must not load zod. */
export const participationActions = [
  'openLink',
  'reportNoAccess',
  'optIn',
  'optOut',
  'acceptNda',
  'refuseNda',
  'checkIn',
  'submitProof',
  'leave',
  'verify',
  'requestChanges',
  'reject',
  'nudge',
  'contestOptIn',
  'decideOptIn',
  'acceptSeat',
  'appeal',
  'decideAppeal',
  'decideRejection',
] as const

/** How long a tester may appeal against a rejection, once. The seat, its pay and its fee are frozen meanwhile. */
export const appealHours = 72

/** What an admin decides on an appeal, and what has become of it. */
export const appealDecisions = ['VERIFY', 'UPHOLD'] as const
export type AppealDecision = (typeof appealDecisions)[number]
/** PLATFORM: nobody decided in time, and the platform paid. Neither side was found right: no reputation counts it. */
export const appealOutcomes = ['VERIFIED', 'UPHELD', 'PLATFORM'] as const
export type AppealOutcome = (typeof appealOutcomes)[number]

/** What an admin decides on a rejection that needs consent, and what has become of it. LAPSED: the proof was decided otherwise. */
export const consentDecisions = ['CONSENT', 'REFUSE'] as const
export type ConsentDecision = (typeof consentDecisions)[number]
export const consentOutcomes = ['CONSENTED', 'REFUSED', 'LAPSED'] as const
export type ConsentOutcome = (typeof consentOutcomes)[number]

/** Days without a decision after which the admins are alerted, and after which the platform pays. */
export const alertDays = [3, 6] as const
export const goodwillDays = 7

/**
 * Why the platform does not pay yet: a fraud report, a suspended tester, the month's sum for the developer or for all, or
 * too little revenue.
 */
export const goodwillHolds = ['FRAUD', 'SUSPENDED', 'DEVELOPER_LIMIT', 'TOTAL_LIMIT', 'REVENUE'] as const
export type GoodwillHold = (typeof goodwillHolds)[number]
/** What the tester and the developer are told of it. */
export const publicHolds = ['CHECK', 'LIMIT'] as const
export type PublicHold = (typeof publicHolds)[number]

/** Characters of an appeal, at least. */
export const minAppealReason = 30

/** Files of one appeal. */
export const maxAppealFiles = 5

/** Codes for the rejection of a proof, each given with a written reason (product.md §3). */
export const rejectionCodes = [
  'NO_EVIDENCE_OF_TESTING',
  'WRONG_APP_OR_VERSION',
  'INSTRUCTIONS_NOT_FOLLOWED',
  'COPIED_OR_GENERATED',
  'DEVICE_MISMATCH',
  'OTHER',
] as const

/** How often a reviewer may request changes of one test. */
export const maxChangeRequests = 3

/** How many proofs one call may verify. */
export const maxVerifiedAtOnce = 100

/** Characters of a rejection's reason, at least. */
export const minRejectionReason = 30

export const dropReasons = [
  'LEFT',
  'NO_CHECK_IN',
  'NO_PROOF',
  'SUSPENDED',
  'NOT_OPTED_IN',
  'OPTED_OUT',
  'THIRD_OPT_OUT',
  'NDA_NOT_ACCEPTED',
] as const

/** How far a tester has come in a campaign with a tester list. */
export const funnelSteps = ['JOINED', 'LISTED', 'LINK_OPENED', 'OPTED_IN', 'IN_USE'] as const
export type FunnelStep = (typeof funnelSteps)[number]

/** What a tester can do next; STAY asks for nothing but to stay opted in. */
export const nextSteps = ['ACCEPT_NDA', 'WAIT_FOR_LIST', 'OPEN_LINK', 'OPT_IN', 'CHECK_IN', 'PROOF', 'STAY'] as const
export type NextStep = (typeof nextSteps)[number]

/** This opt-out gives the seat back at once. */
export const lastOptOut = 3
/** Of one test, also where an opt-out costs no seat any more. After the last of them no opt-in begins. */
export const mostOptOuts = 10
/** Hours in which the owner is told once that a tester who has submitted a proof is out. */
export const optOutNoticeHours = 24
/** In all of its runs. Each is kept: it may show that a doubted run was right. */
export const mostOptInPictures = 20

/** Days of waiting to be put on the tester list until the tester may leave with a day's pay, and until the test ends. */
export const waitingMayLeaveDays = 7
export const waitingEndsDays = 14

/** What Google Play shows to a tester whom it does not let in (decision 070). */
export const accessProblems = ['NOT_A_TESTER', 'NOT_IN_COUNTRY', 'NOT_FOUND'] as const
export type AccessProblem = (typeof accessProblems)[number]
/** Of one test. */
export const mostNoAccessReports = 2
/** Hours after the developer's confirmation: Google Play may take so long to let a new tester in. */
export const noAccessAfterHours = 3

/** Hours without a decision after which a contested opt-in counts again. */
export const contestHours = 72

export const contestDecisions = ['CLEAR', 'VOID'] as const
export type ContestDecision = (typeof contestDecisions)[number]

/** For so many days after a campaign's end verified testers are asked to stay opted in, unless the developer has applied. */
export const staysAfterEndDays = 14

/** Files of one proof. */
export const maxProofFiles = 10

/** Hours for which a freed seat is held for the next of the bench; `offer_seats` says the same in SQL. */
export const offerHours = 24
