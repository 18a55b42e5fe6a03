/** Who needs an admin's consent to reject: whose rejections are overturned too often. Pure. */

/** Of the developer's last rejections that are settled; those that the platform paid count neither way. */
export type Overturned = { overturned: number; of: number }
type Limits = { consentAfterOverturned: number }

export const needsConsent = ({ overturned }: Overturned, { consentAfterOverturned }: Limits): boolean =>
  overturned >= consentAfterOverturned
