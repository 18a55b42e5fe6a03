/** While our books and the provider's balance differ, and nobody knows yet whether that explains itself (decision 058). */
import { autocommit } from '../../kit/server/db.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import { checkBalance } from './books.ts'
import { lastComparison } from './books.queries.ts'
import { tryAllEvents } from './providerEvents.ts'
import { fetchFromStripe } from './stripe/sweep.ts'

/** Fetches what the provider has to tell, and looks again. One that cannot be asked leaves it as it is. */
export const lookAtDifference = scheduled('ledger.look-at-difference', everyMinute, async () => {
  if ((await lastComparison(autocommit))?.offSince == null) return
  await fetchFromStripe()
  // One that cannot be worked off is what the difference may come from: it is no reason to look away.
  await tryAllEvents().catch(() => undefined)
  await checkBalance({ inFull: false })
})
