import { isRunning } from '../../campaigns/rules.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { mayReport } from '../rules.ts'

/** The campaign of a test says its status and not its end. */
export const mayReportNow = ({ status, campaign }: CampaignTester): boolean =>
  mayReport({ status, campaignClosedAt: isRunning(campaign.status) ? null : 'ended' })
