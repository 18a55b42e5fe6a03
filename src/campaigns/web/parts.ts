import type { ReactNode } from 'react'
import type { Campaign } from '../contract.ts'

/** What slices above campaigns show on a campaign's screen; src/app/web/screens puts them together. */
export type CampaignParts = {
  /** For a tester: the pay and the join button. */
  earn: (campaign: Campaign) => ReactNode
  /** For the owner and for admins, once it has started: since when testers are opted in, and from when on one can apply. */
  clock: (campaign: Campaign) => ReactNode
  /** For the same two: proofs awaiting a decision, if any. */
  proofs: (campaign: Campaign) => ReactNode
  /** For the same two: the testers and their progress. */
  testers: (campaign: Campaign) => ReactNode
  /** For the owner, where testers get in by a list: what to change on it, and on the overview that something is. */
  testerList: (campaign: Campaign) => ReactNode
  listNote: (campaign: Campaign) => ReactNode
  /** For the same two: the bugs that testers reported. */
  bugs: (campaign: Campaign) => ReactNode
  /** For the same two: what each version of the app changed. */
  changes: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: what testers answered to the feedback form. */
  feedback: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: the activity log. */
  activity: (campaign: Campaign) => ReactNode
  /** The days that each active tester would be paid for. */
  daysDone: DaysDone
}

export type DaysDone = (campaignId: string, signal: AbortSignal) => Promise<number[]>
