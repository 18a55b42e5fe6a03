import type { ReactNode } from 'react'
import type { Campaign } from '../contract.ts'

/** What slices above campaigns show on a campaign's screen; src/app/web/screens puts them together. */
export type CampaignParts = {
  /** For a tester: what it pays, and the way in. */
  earn: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: proofs that wait for a decision, if there are any. */
  proofs: (campaign: Campaign) => ReactNode
  /** For the same two: who tests, and how far they are. */
  testers: (campaign: Campaign) => ReactNode
  /** For the same two: what happened. */
  activity: (campaign: Campaign) => ReactNode
  /** The days done by each tester who is still testing. */
  daysDone: DaysDone
}

export type DaysDone = (campaignId: string, signal: AbortSignal) => Promise<number[]>
