/** A tester removes a payout account, and whatever waits to be paid to it returns to their balance. */
import { assertActiveAlone } from '../../accounts/server/accounts.ts'
import { clock } from '../../kit/clock.ts'
import { countryName } from '../../kit/countries.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { PayoutAccount } from '../contract.ts'
import { payoutAccountInUse } from '../rules.ts'
import * as approvals from './approvals.queries.ts'
import { failWithdrawal } from './payouts.ts'
import { lockPendingWithdrawals } from './payouts.queries.ts'
import { clientOrThrow, payoutAccount } from './stripe/accounts.ts'
import * as queries from './stripe/queries.ts'

const returnedReason = 'The payout account that it was going to was removed.'

/**
 * A thief with a stolen session may have requested these payouts, and the owner has no other way to stop them. The job that pays
 * and the admins who release wait for these locks, and then find nothing to pay.
 */
const returnWaiting = async (tx: Tx, testerId: string): Promise<void> => {
  await approvals.lockPendingApprovals(tx, testerId)
  const waiting = await lockPendingWithdrawals(tx, testerId)
  if (waiting.some(({ mayBeMade }) => mayBeMade)) throw payoutAccountInUse()
  const ids = waiting.map(({ id }) => id)
  await approvals.setLapsed(tx, ids, clock.now())
  for (const { id: withdrawalId, amountCents } of waiting)
    await failWithdrawal(tx, { withdrawalId, testerId, amountCents }, returnedReason)
}

/**
 * Repeating the call removes nothing else: an account set up since then stays. What Stripe still holds in the removed account stays
 * there, and is paid to its bank.
 */
export const removePayoutAccount = async (userId: string, accountId: string): Promise<PayoutAccount> => {
  clientOrThrow()
  await transact(async tx => {
    await assertActiveAlone(tx, userId)
    const account = await queries.lockPayoutAccount(tx, userId)
    if (account?.accountId !== accountId) return
    await returnWaiting(tx, userId)
    await queries.removePayoutAccount(tx, userId, clock.now())
    await notify(tx, userId, 'PAYOUT_ACCOUNT_REMOVED', { userId, country: countryName(account.country) })
  })
  return payoutAccount(userId)
}
