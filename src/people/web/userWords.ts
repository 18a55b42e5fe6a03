import { counted } from '../../kit/words.ts'
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import type { AdminUser, userStatuses } from '../contract.ts'

export const statusLooks: Record<(typeof userStatuses)[number], { label: string; tone: Tone }> = {
  ACTIVE: { label: 'Active', tone: 'green' },
  SUSPENDED: { label: 'Suspended', tone: 'red' },
}

/** Campaigns of developers, tests of others (spec §2). */
export const activityOf = ({ role, totalCampaigns, totalTests }: AdminUser): string =>
  role === 'DEVELOPER' ? counted(totalCampaigns, 'campaign') : counted(totalTests, 'test')
