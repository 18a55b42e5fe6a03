/** What happens while our books and the provider's balance differ, and the difference may still resolve itself (decision 058). */
import { autocommit } from '../../kit/server/db.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import { checkBalance } from './books.ts'
import { lastComparison } from './books.queries.ts'
import { tryAllEvents } from './providerEvents.ts'
import { fetchFromStripe } from './stripe/sweep.ts'

/** Fetches the provider's news and compares again. If the provider cannot be asked, the difference stays as it is. */
export const lookAtDifference = scheduled('ledger.look-at-difference', everyMinute, async () => {
  if ((await lastComparison(autocommit))?.offSince == null) return
  await fetchFromStripe()
  // An event that fails may be the cause of the difference, so the comparison goes ahead all the same.
  await tryAllEvents().catch(() => undefined)
  await checkBalance({ inFull: false })
})
