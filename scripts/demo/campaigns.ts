/** The 25 campaigns of the demo and what becomes of each. The apps are made up. */
import type { CampaignStatus } from '../../src/campaigns/contract.ts'
import { cancelled, completed } from './pastCampaigns.ts'
import { running, standing } from './presentCampaigns.ts'

/** The state that a campaign is in when the story ends. */
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
  ends: CampaignStatus
  /** For PAUSED and CANCELLED: how long ago that happened. */
  endedDaysAgo?: number
  /** Fewer testers than seats come by themselves. */
  comers?: number
  /** Something that happens on the way. */
  twist?: 'DECLINED_PAYMENT' | 'REJECTED_FIRST' | 'PAUSED_ONCE' | 'PROOF_SENT_BACK' | 'SOMEBODY_SILENT'
}

export const stories: readonly Story[] = [...completed, ...cancelled, ...running, ...standing]

export const rejectionReason =
  'Asking for invitations and five-star ratings is against the rules of the stores. Describe what should be tested instead, and we will look at it again.'

export const firstRejectionReason =
  'The link answers with "App not available". Add our reviewers to the test or make the test open, and submit it again.'

export const linkOf = ({ app, platform }: Story): string =>
  platform === 'ios'
    ? `https://builds.example.com/${app}/install`
    : `https://play.google.com/apps/testing/com.example.${app}`
