/** The plan of a demo campaign, from which it is played. */
import type { CampaignStatus } from '../../src/campaigns/contract.ts'
import type { AccessMode } from '../../src/campaigns/terms.ts'

export type CampaignPlan = {
  /** Place in `developers`. */
  owner: number
  app: string
  title: string
  description: string
  /** Android by default. */
  platform?: 'ios'
  testers: number
  payCents: number
  days: number
  countries?: string[]
  minAndroidVersion?: string
  /** OPEN_LINK by default. */
  accessMode?: AccessMode
  features?: string[]
  /** The template of its feedback form. */
  form?: 'FIRST_IMPRESSION' | 'CLOSED_TEST'
  /** Testers have to accept an NDA. */
  nda?: true
  /** The owner updates the tester list on the first day only, and not daily. */
  listedOnce?: true
  /** The owner applies for production access once the closed test is complete. */
  applies?: true
  /** How many testers enter the bench once all seats are taken. */
  bench?: number
  /** True by default. */
  dailyCheckIn?: false
  createdDaysAgo: number
  /** Its state at the end of the demo. */
  ends: CampaignStatus
  /** For PAUSED and CANCELLED: how many days ago that happened. At least two days after its creation, which may be a day late. */
  endedDaysAgo?: number
  /** How many testers join, if that is fewer than there are seats. */
  joiners?: number
  /** Something unusual. */
  event?:
    | 'DECLINED_PAYMENT'
    | 'PAYMENT_DISPUTED'
    | 'REJECTED_FIRST'
    | 'PAUSED_ONCE'
    | 'PROOF_SENT_BACK'
    | 'TESTERS_SILENT'
    | 'LINK_CHANGED'
}
