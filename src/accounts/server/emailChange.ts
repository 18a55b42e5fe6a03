/**
 * Moving to another email address, which takes effect when the link sent to the new address is used. The old address gets a link
 * that stops the change, and afterwards one that undoes it (emailChangeUndo.ts). Withdrawals pause for as long as that one works.
 */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx, violated } from '../../kit/server/db.ts'
import { mailGoesOut, notify } from '../../notifications/server/notifications.ts'
import type { User } from '../contract.ts'
import { emailTaken, pauseHours, tooManyLinks } from '../rules.ts'
import { recordMoved } from './admins.ts'
import { hasEnoughLinks, makeLink } from './emailLinks.ts'
import * as links from './emailLinks.queries.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import * as queries from './queries.ts'
import { sendCopies } from './securityEmails.ts'
import { toUser } from './toUser.ts'

type Change = { email: string; currentPassword: string }

export const requestEmailChange = async (
  user: SignedIn,
  { email, currentPassword }: Change,
  { limited }: { limited: boolean },
): Promise<User> => {
  const checkedHash = await assertOwnPassword(user, currentPassword, 'currentPassword')
  await transact(async tx => {
    const row = await assertStillOwn(tx, user, checkedHash, 'currentPassword')
    if (row.email === email) {
      const message = 'This is already your email address.'
      throw new DomainError('INVALID_INPUT', message, { fields: { email: message } })
    }
    if (limited && (await hasEnoughLinks(tx, user.id, 'CHANGE_EMAIL')))
      throw tooManyLinks('You have asked for several changes in the last hour. Try again later.')
    if (await queries.userByEmail(tx, email)) throw emailTaken()
    await assertNotReserved(tx, email, user.id)
    await links.voidLinks(tx, { userId: user.id, purposes: ['CHANGE_EMAIL'], now: clock.now() })
    const changeSeq = await makeLink(tx, { purpose: 'CHANGE_EMAIL', userId: user.id, email })
    await tellOfRequest(tx, row, email, changeSeq)
  })
  return toUser(await queries.userById(autocommit, user.id))
}

/**
 * If the server sends emails, an unconfirmed address may belong to a stranger, who must not get hold of the account, so it gets
 * no link.
 */
const mayUndo = (user: queries.UserRow) => user.emailVerifiedAt !== null || !mailGoesOut()

/**
 * The current address gets a link that stops the change. The recent former addresses are notified; they already have links that
 * undo it.
 */
const tellOfRequest = async (tx: Tx, user: queries.UserRow, newEmail: string, changeSeq: number | undefined) => {
  const { id: userId, email, emailVerifiedAt } = user
  const present = { purpose: 'STOP_EMAIL_CHANGE', userId, email, emailVerifiedAt, newEmail } as const
  if (mayUndo(user) && changeSeq !== undefined) await makeLink(tx, { ...present, changeSeq })
  else await notify(tx, userId, 'EMAIL_CHANGE_ASKED', { userId, newEmail: null })
  const former = await links.formerAddresses(tx, userId, clock.now())
  await sendCopies(tx, former, 'EMAIL_CHANGE_ASKED', { userId, newEmail })
}

/** Voids the link sent to the new address. */
export const cancelEmailChange = (user: SignedIn): Promise<User> =>
  transact(async tx => {
    await queries.lockUser(tx, user.id)
    await links.voidLinks(tx, { userId: user.id, purposes: ['CHANGE_EMAIL'], now: clock.now() })
    return toUser(await queries.userById(tx, user.id))
  })

/** Throws if another account can still go back to this address. Call this after the write that takes the address. */
export const assertNotReserved = async (tx: Tx, email: string, userId: string): Promise<void> => {
  if (await links.isReserved(tx, email, userId, clock.now())) throw emailTaken()
}

/** Used for changes and for undoing them. Throws EMAIL_TAKEN. */
export const takeAddress = async (tx: Tx, user: queries.UserRow, email: string, emailVerifiedAt: string | null) => {
  await queries.setEmail(tx, { id: user.id, email, emailVerifiedAt }).catch((error: unknown) => {
    throw violated(error) === 'users_email_key' ? emailTaken() : error
  })
  await assertNotReserved(tx, email, user.id)
  if (user.role === 'ADMIN') await recordMoved(tx, user.id, [user.email, email])
  const until = hoursAfter(clock.now(), pauseHours.EMAIL_CHANGED)
  await queries.pausePayouts(tx, user.id, until, 'EMAIL_CHANGED')
  // An account without its own payment method is paid at its address.
  if (user.paymentMethod === null) await queries.setPaymentMethod(tx, user.id, null, clock.now())
  if (user.paymentMethod === email) await queries.setPaymentMethod(tx, user.id, null, user.paymentMethodChangedAt)
}

export const pauseHoursFor = ({ role }: queries.UserRow): number | null =>
  role === 'TESTER' ? pauseHours.EMAIL_CHANGED : null

/** Moves the user, whom the caller has locked, to the address of the link that was used. */
export const moveTo = async (tx: Tx, user: queries.UserRow, link: links.LinkRow): Promise<void> => {
  const { id: userId } = user
  const { email } = link
  const now = clock.now()
  const former = await links.formerAddresses(tx, userId, now)
  await takeAddress(tx, user, email, now)
  await links.voidLinks(tx, { userId, purposes: ['RESET_PASSWORD', 'CHANGE_EMAIL'], now })
  await notify(tx, userId, 'EMAIL_CHANGED', { userId, email, pauseHours: pauseHoursFor(user) })
  if (user.paymentMethod === null && user.role !== 'ADMIN') {
    const facts = { userId, paymentMethod: email, pauseHours: pauseHoursFor(user) }
    await notify(tx, userId, 'PAYMENT_METHOD_CHANGED', facts)
  }
  const returned = former.find(address => address.email === email)
  if (returned) await endLaterAddresses(tx, user, former, returned)
  else await giveUndoLinks(tx, user, former, link)
}

/** The account is back at a former address, so the addresses that came after it can no longer undo anything. */
const endLaterAddresses = async (
  tx: Tx,
  user: queries.UserRow,
  former: links.FormerAddress[],
  { email, changeSeq }: links.FormerAddress,
) => {
  await links.voidUndoLinks(tx, { userId: user.id, changeSeq, now: clock.now() })
  const later = former.filter(address => address.changeSeq > changeSeq)
  await sendCopies(tx, [...later, user], 'EMAIL_CHANGE_REVERTED', { email })
}

/**
 * Sends undo links to the address that was left and again to those left before it; each undoes everything that came after that
 * address.
 */
const giveUndoLinks = async (tx: Tx, user: queries.UserRow, former: links.FormerAddress[], link: links.LinkRow) => {
  const left = mayUndo(user) ? [{ ...user, changeSeq: link.seq }] : []
  for (const { email, emailVerifiedAt, changeSeq } of [...former, ...left]) {
    const undo = { purpose: 'UNDO_EMAIL_CHANGE', userId: user.id, email, emailVerifiedAt } as const
    await makeLink(tx, { ...undo, changeSeq, newEmail: link.email })
  }
}
