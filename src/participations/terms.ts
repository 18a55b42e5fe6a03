/** Enums of participations. No schemas: a first screen that imports them must not load zod. */
export const participationStatuses = [
  'ACTIVE',
  'SUBMITTED',
  'CHANGES_REQUESTED',
  'VERIFIED',
  'REJECTED',
  'DROPPED',
  'CANCELLED',
] as const

export const participationActions = ['checkIn', 'submitProof', 'leave', 'verify', 'requestChanges', 'reject'] as const

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

export const dropReasons = ['LEFT', 'NO_CHECK_IN', 'NO_PROOF', 'SUSPENDED'] as const
