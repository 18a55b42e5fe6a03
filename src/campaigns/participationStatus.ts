/**
 * The statuses of a participation and their labels. They are here because the feedback slice, below participations, shows them as
 * well.
 */

/**
 * WAITLISTED: on the reserve bench, without a seat (src/participations/server/bench.ts). REJECTED: the seat stays frozen for
 * `appealHours`. APPEALED: the seat stays frozen until an admin decides.
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
