/** Deleting an account anonymizes it, and leaves the books unchanged (product.md §10). */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError, notFound } from '../../kit/errors.ts'
import { type Cents, formatCents } from '../../kit/money.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import type { AccountDeletion } from '../contract.ts'
import { recordDeleted, tellOfDeletedAdmin } from './admins.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import * as queries from './deleting.queries.ts'
import { userByEmail } from './queries.ts'
import { endSessions } from './sessionEnds.ts'

/** Whether an open fraud report is about this user; set by the slice that knows, because it comes later in the import order. */
type Examined = (tx: Tx, userId: string) => Promise<boolean>
let isExamined: Examined = async () => false
export const useExamined = (given: Examined): void => {
  isExamined = given
}

/** The least that a tester's bank lets us pay out, beside our own minimum; 0 if unknown. Set by a later slice. */
type BankMinimum = (tx: Tx, userId: string) => Promise<Cents>
let bankMinimumOf: BankMinimum = async () => 0
export const useBankMinimum = (given: BankMinimum): void => {
  bankMinimumOf = given
}

/** Notifies those who have to know that this user deletes their account; set by a later slice. */
type TellOfDeleted = (tx: Tx, userId: string) => Promise<void>
let tellOfDeleted: TellOfDeleted = async () => undefined
export const useDeleted = (given: TellOfDeleted): void => {
  tellOfDeleted = given
}

const underExamination =
  'We are looking into a report about your account. You can delete your account once that report has been decided.'

/** What has to be finished before an account can be deleted, in sentences. */
const obstacles = (left: queries.LeftOpen, minimumCents: Cents): string[] => [
  ...(left.openCampaigns > 0 ? ['Cancel your campaigns, or wait until they are completed.'] : []),
  ...(left.undecidedCampaigns > 0
    ? ['Proofs of your cancelled campaigns are still open: review them, or wait until they are decided.']
    : []),
  ...(left.openTests > 0 ? ['Leave your tests, or finish them.'] : []),
  ...(left.proofsInReview > 0
    ? ['One of your proofs is under review: wait for the decision. Without one, the proof is verified automatically.']
    : []),
  ...(left.openAppeals > 0 ? ['You have appealed a rejection: wait for the decision.'] : []),
  ...(left.benches > 0 ? ['Leave the benches where you are waiting for a seat.'] : []),
  ...(left.balanceCents >= minimumCents ? ['Withdraw your balance.'] : []),
  ...(left.unfinishedPayments > 0
    ? ['You have started a payment for a campaign: finish it, or cancel the campaign.']
    : []),
  ...(left.endingPayments > 0 ? ['Wait a minute, until the payment that you started has been stopped.'] : []),
  ...(left.pendingMoney > 0 ? ['Wait until the money on its way has arrived.'] : []),
  ...(left.owedCents > 0
    ? [
        `You owe ${formatCents(left.owedCents)} for a payment that your bank took back: ask your bank to return it, or contact us to pay it another way.`,
      ]
    : []),
  ...(left.isLastAdmin ? ['Create another admin first.'] : []),
]

/** A balance that is too small to withdraw goes with the account, but only if the user has confirmed the amount. */
const assertGivenUp = (balanceCents: Cents, givesUpCents: Cents): void => {
  if (balanceCents === givesUpCents) return
  const amount = formatCents(balanceCents)
  const message =
    balanceCents > 0
      ? `Your balance is ${amount}, which is too little to withdraw. Confirm that you give up ${amount} when your account is deleted.`
      : 'Your balance is empty: there is nothing to give up.'
  throw new DomainError('WRONG_AMOUNT', message, { fields: { givesUpCents: message } })
}

export const deleteMe = async (
  user: SignedIn,
  { password, givesUpCents = 0 }: Pick<AccountDeletion, 'password' | 'givesUpCents'>,
): Promise<void> => {
  const checkedHash = await assertOwnPassword(user, password, 'password')
  await transact(async tx => {
    const left = await queries.leftOpen(tx, user.id)
    const { minimumWithdrawalCents } = await currentSettings(tx)
    const open = obstacles(left, Math.max(minimumWithdrawalCents, await bankMinimumOf(tx, user.id)))
    if (await isExamined(tx, user.id)) open.push(underExamination)
    await assertStillOwn(tx, user, checkedHash, 'password')
    if (open.length > 0) throw new DomainError('WRONG_STATE', `Your account cannot be deleted yet. ${open.join(' ')}`)
    assertGivenUp(left.balanceCents, givesUpCents)
    if (givesUpCents > 0) await queries.giveUpBalance(tx, user.id, givesUpCents, clock.now())
    // This has to come before anything is erased, or it could deadlock: notifying a campaign owner who is being deleted waits for
    // that deletion, which waits for the addresses erased here.
    await tellOfDeleted(tx, user.id)
    await forget(tx, user.id, { by: 'OWNER', addressIsTheirs: mailGoesOut() ? 'ONCE_CONFIRMED' : 'ALWAYS' })
  })
}

type Forgetting = { by: 'OWNER' | 'SERVER'; addressIsTheirs: 'ONCE_CONFIRMED' | 'ALWAYS' }

const forget = async (tx: Tx, id: string, { by, addressIsTheirs }: Forgetting) => {
  const admin = await recordDeleted(tx, id, by)
  await queries.forgetPerson(tx, id, { now: clock.now(), addressIsTheirs })
  if (admin) await tellOfDeletedAdmin(tx, admin, by)
  await endSessions(tx, { userId: id, reason: 'DELETED' })
}

/**
 * `npm run admin -- delete EMAIL`, on the server: for an admin who has left, or whose account should not exist, because no other
 * admin can delete or suspend it. Resolves with the name.
 */
export const deleteAdmin = (email: string): Promise<string> =>
  transact(async tx => {
    const { id } = await adminByEmail(tx, email)
    const { isLastAdmin } = await queries.leftOpen(tx, id)
    // Read again now that the row is locked, because the admin may have deleted the account meanwhile.
    const { name } = await adminByEmail(tx, email)
    if (isLastAdmin) throw new DomainError('WRONG_STATE', `${name} is the only admin. Create another admin first.`)
    await forget(tx, id, { by: 'SERVER', addressIsTheirs: 'ONCE_CONFIRMED' })
    return name
  })

const adminByEmail = async (tx: Tx, email: string) => {
  const found = await userByEmail(tx, email)
  if (found?.role !== 'ADMIN') throw notFound('Admin')
  return found
}

/** The accounts deleted since then, for the list that is kept beside the backups. */
export const deletedSince = (tx: Tx, since: string): Promise<queries.Deleted[]> => queries.deletedSince(tx, since)

/**
 * In a copy restored from before a deletion: erases the person again, whatever is still open in the account. False if the account
 * does not exist there or is already deleted. A restore does not know whether emails were sent, so an unconfirmed address is
 * erased as well.
 */
export const forgetAgain = (id: string): Promise<boolean> =>
  transact(async tx => {
    if (!(await queries.lockPresent(tx, id))) return false
    await recordDeleted(tx, id)
    await queries.forgetPerson(tx, id, { now: clock.now(), addressIsTheirs: 'ALWAYS' })
    await endSessions(tx, { userId: id, reason: 'DELETED' })
    return true
  })
