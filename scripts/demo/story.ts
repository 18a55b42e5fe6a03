/** What the demo knows of a campaign before it is lived through. */
import type { CampaignStatus } from '../../src/campaigns/contract.ts'

export type Story = {
  /** Place in `developers`. */
  owner: number
  app: string
  title: string
  description: string
  /** Default android. */
  platform?: 'ios'
  testers: number
  payCents: number
  days: number
  countries?: string[]
  minAndroidVersion?: string
  /** Default true. */
  dailyCheckIn?: false
  createdDaysAgo: number
  /** The state that it is in when the story ends. */
  ends: CampaignStatus
  /** For PAUSED and CANCELLED: how long ago that happened. */
  endedDaysAgo?: number
  /** Fewer testers than seats come by themselves. */
  comers?: number
  /** Something that happens on the way. */
  twist?: 'DECLINED_PAYMENT' | 'REJECTED_FIRST' | 'PAUSED_ONCE' | 'PROOF_SENT_BACK' | 'SOMEBODY_SILENT'
}
