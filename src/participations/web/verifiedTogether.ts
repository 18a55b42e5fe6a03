import type { Instant } from '../../kit/clock.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { maxVerifiedAtOnce } from '../terms.ts'
import { type Tested, withAllDays } from './days.ts'

type Waiting = Tested & Pick<CampaignTester, 'consentRequest'>

/** The proofs that can be verified together: those with a check-in on each day, and no rejection waiting for consent. */
export const verifiedTogether = <Test extends Waiting>(queue: readonly Test[], now: Instant): Test[] =>
  queue.filter(test => !waitsForConsent(test) && withAllDays(test, now)).slice(0, maxVerifiedAtOnce)
