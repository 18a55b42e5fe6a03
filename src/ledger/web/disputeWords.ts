import type { DisputeCase } from '../disputesContract.ts'

/** What a dispute means for its campaign, which may have ended, and for the testers inside, if there are any. */
export const outcomeWords = ({ status, ended, inside }: Pick<DisputeCase, 'status' | 'ended' | 'inside'>): string => {
  const some = inside > 0
  if (status === 'WON')
    return `The payment stands.${ended ? '' : ' Testers can join again, and its end date is extended by the time it was frozen.'}`
  if (status === 'OPEN') {
    if (!ended)
      return `The campaign is frozen: no one can join, nothing is refunded, and the developer cannot reject proofs.${some ? ' Current testers continue and are paid.' : ''}`
    return some
      ? 'Nothing is refunded, and the developer cannot reject the proofs that are still under review. Verified tests are paid.'
      : 'Nothing is refunded.'
  }
  if (!ended)
    return `The bank took the money back. No new testers can join${some ? '; current testers can finish and will be paid' : ''}.`
  return `The bank took the money back.${some ? ' Proofs are still under review; verified tests are paid.' : ''}`
}
