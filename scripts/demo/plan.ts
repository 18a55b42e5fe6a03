/** What is known of a demo campaign before it is played. */
import type { CampaignStatus } from '../../src/campaigns/contract.ts'
import type { AccessMode } from '../../src/campaigns/terms.ts'

export type CampaignPlan = {
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
  /** Default OPEN_LINK. */
  accessMode?: AccessMode
  features?: string[]
  /** The template that its feedback form is made of. */
  form?: 'FIRST_IMPRESSION' | 'CLOSED_TEST'
  /** Testers accept an NDA. */
  nda?: true
  /** The owner brings the tester list up to date on the first day only, and not daily. */
  listedOnce?: true
  /** The owner applies for production access once the closed test is complete. */
  applies?: true
  /** How many testers enter the bench once the seats are taken. */
  bench?: number
  /** Default true. */
  dailyCheckIn?: false
  createdDaysAgo: number
  /** The state in which it is at the end. */
  ends: CampaignStatus
  /** For PAUSED and CANCELLED: how many days ago. */
  endedDaysAgo?: number
  /** How many testers join, if fewer than there are seats. */
  joiners?: number
  /** Something out of the ordinary. */
  event?:
    | 'DECLINED_PAYMENT'
    | 'PAYMENT_DISPUTED'
    | 'REJECTED_FIRST'
    | 'PAUSED_ONCE'
    | 'PROOF_SENT_BACK'
    | 'TESTERS_SILENT'
    | 'LINK_CHANGED'
}
