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

/** For this long a tester may appeal against a rejection, once. The seat, its pay and its fee are frozen meanwhile. */
export const appealHours = 72

/** An admin's decision on an appeal, and the appeal's outcome. */
export const appealDecisions = ['VERIFY', 'UPHOLD'] as const
export type AppealDecision = (typeof appealDecisions)[number]
/** PLATFORM: nobody decided in time, and the platform paid. Neither side was found right: no reputation counts it. */
export const appealOutcomes = ['VERIFIED', 'UPHELD', 'PLATFORM'] as const
export type AppealOutcome = (typeof appealOutcomes)[number]

/** An admin's decision on a rejection that needs consent, and its outcome. LAPSED: the proof was decided in another way. */
export const consentDecisions = ['CONSENT', 'REFUSE'] as const
export type ConsentDecision = (typeof consentDecisions)[number]
export const consentOutcomes = ['CONSENTED', 'REFUSED', 'LAPSED'] as const
export type ConsentOutcome = (typeof consentOutcomes)[number]

/** Days without a decision after which the admins are alerted, and after which the platform pays. */
export const alertDays = [3, 6] as const
export const goodwillDays = 7

/**
 * Why the platform does not pay yet: a fraud report, a suspended tester, the month's budget for this developer or for all of them,
 * or too little revenue.
 */
export const goodwillHolds = ['FRAUD', 'SUSPENDED', 'DEVELOPER_LIMIT', 'TOTAL_LIMIT', 'REVENUE'] as const
export type GoodwillHold = (typeof goodwillHolds)[number]
/** The reasons that the tester and the developer are told. */
export const publicHolds = ['CHECK', 'LIMIT'] as const
export type PublicHold = (typeof publicHolds)[number]

/** The least number of characters of an appeal. */
export const minAppealReason = 30

/** The most files of one appeal. */
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

/** How often a reviewer may request changes in one test. */
export const maxChangeRequests = 3

/** How many proofs one call may verify. */
export const maxVerifiedAtOnce = 100

/** The least number of characters of a rejection's reason. */
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

/** What a tester has to do next. STAY: only stay opted in. */
export const nextSteps = ['ACCEPT_NDA', 'WAIT_FOR_LIST', 'OPEN_LINK', 'OPT_IN', 'CHECK_IN', 'PROOF', 'STAY'] as const
export type NextStep = (typeof nextSteps)[number]

/** The number of the opt-out that gives up the seat at once. */
export const lastOptOut = 3
/** The most opt-outs of one test, including those that no longer cost the seat. After the last one, no opt-in starts. */
export const mostOptOuts = 10
/** Within this many hours the owner is told only once that a tester who has submitted a proof is opted out. */
export const optOutNoticeHours = 24
/** The most pictures of one test, in all of its runs. Each is kept: it may show that a contested run was right. */
export const mostOptInPictures = 20

/**
 * After this many days of waiting for the tester list, the tester may leave with a day's pay; after the second number, the test
 * ends.
 */
export const waitingMayLeaveDays = 7
export const waitingEndsDays = 14

/** What Google Play shows to a tester whom it does not let in (decision 070). */
export const accessProblems = ['NOT_A_TESTER', 'NOT_IN_COUNTRY', 'NOT_FOUND'] as const
export type AccessProblem = (typeof accessProblems)[number]
/** The most reports of one test. */
export const mostNoAccessReports = 2
/** Hours after the developer's confirmation before a report is taken: Google Play may take that long to let a new tester in. */
export const noAccessAfterHours = 3

/** Hours without a decision after which a contested opt-in counts again. */
export const contestHours = 72

export const contestDecisions = ['CLEAR', 'VOID'] as const
export type ContestDecision = (typeof contestDecisions)[number]

/** For this many days after a campaign's end, verified testers are asked to stay opted in, unless the developer has applied. */
export const staysAfterEndDays = 14

/** The most files of one proof. */
export const maxProofFiles = 10

/** Hours for which a freed seat is held for the next of the bench; `offer_seats` says the same in SQL. */
export const offerHours = 24

/** Why a tester cannot accept a seat of the bench that is free for them: codes of the refusal (eligibility.ts). */
export const seatObstacles = [
  'LIMIT_REACHED',
  'PLAY_ACCOUNT_TAKEN',
  'EMAIL_NOT_CONFIRMED',
  'DEVICE_DOES_NOT_FIT',
] as const
export type SeatObstacle = (typeof seatObstacles)[number]
