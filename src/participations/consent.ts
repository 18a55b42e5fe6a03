/** Who needs an admin's consent to reject: whose rejections are overturned too often; and which proofs wait for it. Pure. */
import type { CampaignTester } from './contract.ts'

/** Of the developer's last rejections that are settled; those that the platform paid count neither way. */
export type Overturned = { overturned: number; of: number }
type Limits = { consentAfterOverturned: number }

export const needsConsent = ({ overturned }: Overturned, { consentAfterOverturned }: Limits): boolean =>
  overturned >= consentAfterOverturned

/** The developer has decided, and an admin has to: nobody else is asked for anything. */
export const waitsForConsent = ({ consentRequest }: Pick<CampaignTester, 'consentRequest'>): boolean =>
  consentRequest?.outcome === null
