import type { CampaignTester } from '../contract.ts'

type CheckIn = CampaignTester['checkIns'][number]

/** Whether a check-in says more than that it was made. */
export const hasDetails = ({ note }: CheckIn): boolean => note !== null

/** What the tester said with a check-in. */
export const CheckInDetails = ({ of: { note } }: { of: CheckIn }) =>
  note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{note}</p>
