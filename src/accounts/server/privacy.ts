/** Export of a user's data, and deletion of the account: it is anonymized, the books stay (product.md §10). */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import type { PersonalData } from '../contract.ts'
import { endSessions, me } from './accounts.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import * as queries from './privacy.queries.ts'

export const exportMe = async (user: SignedIn): Promise<PersonalData> => {
  const [profile, ...kinds] = await Promise.all([
    me(user),
    queries.sessionsOf(autocommit, user.id),
    queries.secondFactorsOf(autocommit, user.id),
    queries.campaignsOf(autocommit, user.id),
    queries.testsOf(autocommit, user.id),
    queries.checkInsOf(autocommit, user.id),
    queries.transactionsOf(autocommit, user.id),
    queries.withdrawalsOf(autocommit, user.id),
    queries.notificationsOf(autocommit, user.id),
  ])
  const [sessions, secondFactors, campaigns, tests, checkIns, transactions, withdrawals, notifications] = kinds
  return {
    exportedAt: clock.now(),
    user: profile,
    sessions,
    secondFactors,
    campaigns,
    tests,
    checkIns,
    transactions,
    withdrawals,
    notifications,
  }
}

/** What must be finished before an account can be deleted, as sentences. */
const obstacles = (left: queries.LeftOpen): string[] => [
  ...(left.openCampaigns > 0 ? ['Cancel your campaigns, or wait until they are completed.'] : []),
  ...(left.openTests > 0 ? ['Leave your tests, or finish them.'] : []),
  ...(left.balanceCents > 0 ? ['Withdraw your balance.'] : []),
  ...(left.pendingMoney > 0 ? ['Wait until money on its way has arrived.'] : []),
  ...(left.isLastAdmin ? ['Create another admin first.'] : []),
]

export const deleteMe = async (user: SignedIn, password: string): Promise<void> => {
  const checkedHash = await assertOwnPassword(user, password, 'password')
  await transact(async tx => {
    const open = obstacles(await queries.leftOpen(tx, user.id))
    await assertStillOwn(tx, user, checkedHash, 'password')
    if (open.length > 0) throw new DomainError('WRONG_STATE', `Your account cannot be deleted yet. ${open.join(' ')}`)
    await queries.forgetPerson(tx, user.id, clock.now())
    await endSessions(tx, { userId: user.id, reason: 'DELETED' })
  })
}
