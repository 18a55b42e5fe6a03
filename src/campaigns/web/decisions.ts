import type { CampaignAction } from '../contract.ts'

/** What an admin decides on under Pending Approvals. */
export type Decision = Extract<CampaignAction, 'approve' | 'reject' | 'approveLink' | 'rejectLink'>
