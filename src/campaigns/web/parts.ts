import type { ReactNode } from 'react'
import type { Campaign } from '../contract.ts'

/** The parts of a campaign's screen that slices above campaigns provide; src/app/web/screens puts them together. */
export type CampaignParts = {
  /** For a tester: the pay and the join button. */
  earn: (campaign: Campaign) => ReactNode
  /**
   * For the owner and for admins, once it has started: since when testers have been opted in, and the earliest date to apply to
   * Google.
   */
  clock: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: proofs awaiting a decision, if any. */
  proofs: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: the testers and their progress. */
  testers: (campaign: Campaign) => ReactNode
  /**
   * For the owner, if testers get in through a list: what to change on it, and a note on the overview that there is something to
   * change.
   */
  testerList: (campaign: Campaign) => ReactNode
  listNote: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: the bugs that testers reported. */
  bugs: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: what each version of the app changed. */
  changes: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: the testers' answers to the feedback form. */
  feedback: (campaign: Campaign) => ReactNode
  /** For the owner and for admins: the activity log. */
  activity: (campaign: Campaign) => ReactNode
  /** The days that each active tester would be paid for. */
  daysDone: DaysDone
}

export type DaysDone = (campaignId: string, signal: AbortSignal) => Promise<number[]>
