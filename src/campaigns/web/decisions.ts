import type { CampaignAction } from '../contract.ts'

/** The decisions of an admin under Pending Approvals. */
export type Decision = Extract<CampaignAction, 'approve' | 'reject' | 'approveLink' | 'rejectLink'>
