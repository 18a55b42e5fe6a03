/**
 * Which developers need an admin's consent to reject, because their rejections were overturned too often, and which proofs wait
 * for it. Pure.
 */
import type { CampaignTester } from './contract.ts'

/** Counts among the developer's latest settled rejections. Those that the platform paid count neither way. */
export type Overturned = { overturned: number; of: number }
type Limits = { consentAfterOverturned: number }

export const needsConsent = ({ overturned }: Overturned, { consentAfterOverturned }: Limits): boolean =>
  overturned >= consentAfterOverturned

/** The developer has decided and an admin has to consent: nobody else has to do anything. */
export const waitsForConsent = ({ consentRequest }: Pick<CampaignTester, 'consentRequest'>): boolean =>
  consentRequest?.outcome === null
