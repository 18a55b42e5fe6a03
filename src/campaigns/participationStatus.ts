/** The statuses of a participation and what they are called. Here, since the table of the feedback tells them, too. */

/**
 * WAITLISTED: on the reserve bench, without a seat (src/participations/server/bench.ts). REJECTED: the seat stays frozen for `appealHours`.
 * APPEALED: it stays so until an admin has decided.
 */
export const participationStatuses = [
  'WAITLISTED',
  'ACTIVE',
  'SUBMITTED',
  'CHANGES_REQUESTED',
  'VERIFIED',
  'REJECTED',
  'APPEALED',
  'DROPPED',
  'CANCELLED',
] as const

export const participationStatusLabels: Record<(typeof participationStatuses)[number], string> = {
  WAITLISTED: 'On the bench',
  ACTIVE: 'Active',
  SUBMITTED: 'In review',
  CHANGES_REQUESTED: 'Changes requested',
  VERIFIED: 'Verified',
  REJECTED: 'Rejected',
  APPEALED: 'Appealed',
  DROPPED: 'Dropped',
  CANCELLED: 'Cancelled',
}
