/**
 * Another email address: it takes effect when the link at the new one is used, and the old one gets a link that undoes
 * it. Withdrawals pause for as long as that works.
 */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx, violated } from '../../kit/server/db.ts'
import { mailGoesOut, notify } from '../../notifications/server/notifications.ts'
import type { User } from '../contract.ts'
import { emailTaken, pauseHours, tooManyLinks } from '../rules.ts'
import { hasEnoughLinks, makeLink, useLink } from './emailLinks.ts'
import * as links from './emailLinks.queries.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import * as queries from './queries.ts'
import { endSessions } from './sessionEnds.ts'
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
      const message = 'This is your email address already.'
      throw new DomainError('INVALID_INPUT', message, { fields: { email: message } })
    }
    if (limited && (await hasEnoughLinks(tx, user.id, 'CHANGE_EMAIL')))
      throw tooManyLinks('You asked for several changes within the hour. Try again later.')
    if (await queries.userByEmail(tx, email)) throw emailTaken()
    await assertNotReserved(tx, email, user.id)
    await links.voidLinks(tx, { userId: user.id, purposes: ['CHANGE_EMAIL'], now: clock.now() })
    await makeLink(tx, { purpose: 'CHANGE_EMAIL', userId: user.id, email })
  })
  return toUser(await queries.userById(autocommit, user.id))
}

/** Makes the link at the new address void. */
export const cancelEmailChange = (user: SignedIn): Promise<User> =>
  transact(async tx => {
    await queries.lockUser(tx, user.id)
    await links.voidLinks(tx, { userId: user.id, purposes: ['CHANGE_EMAIL'], now: clock.now() })
    return toUser(await queries.userById(tx, user.id))
  })

/** An address that another account can still go back to is not given away. Ask after the write that takes the address. */
export const assertNotReserved = async (tx: Tx, email: string, userId: string): Promise<void> => {
  if (await links.isReserved(tx, email, userId, clock.now())) throw emailTaken()
}

const takeAddress = async (tx: Tx, user: queries.UserRow, email: string, emailVerifiedAt: string | null) => {
  await queries.setEmail(tx, { id: user.id, email, emailVerifiedAt }).catch((error: unknown) => {
    throw violated(error) === 'users_email_key' ? emailTaken() : error
  })
  await assertNotReserved(tx, email, user.id)
  const until = hoursAfter(clock.now(), pauseHours.EMAIL_CHANGED)
  await queries.pausePayouts(tx, user.id, until, 'EMAIL_CHANGED')
  if (user.email === email) return
  // Without a payment method of its own, an account is paid at its address.
  if (user.paymentMethod === null) await queries.setPaymentMethod(tx, user.id, null, clock.now())
  if (user.paymentMethod === email) await queries.setPaymentMethod(tx, user.id, null, user.paymentMethodChangedAt)
}

const hoursFor = ({ role }: queries.UserRow) => (role === 'TESTER' ? pauseHours.EMAIL_CHANGED : null)

/** Moves the user, whom the caller has locked, to the address whose link was used. */
export const moveTo = async (tx: Tx, user: queries.UserRow, email: string): Promise<void> => {
  const now = clock.now()
  await takeAddress(tx, user, email, now)
  await links.voidLinks(tx, { userId: user.id, purposes: ['RESET_PASSWORD', 'CHANGE_EMAIL'], now })
  await notify(tx, user.id, 'EMAIL_CHANGED', { userId: user.id, email, pauseHours: hoursFor(user) })
  if (user.paymentMethod === null && user.role !== 'ADMIN') {
    const facts = { userId: user.id, paymentMethod: email, pauseHours: hoursFor(user) }
    await notify(tx, user.id, 'PAYMENT_METHOD_CHANGED', facts)
  }
  // Where emails go out, an address that was never confirmed may be a stranger's, who must not get hold of the account.
  if (user.emailVerifiedAt === null && mailGoesOut()) return
  const { email: old, emailVerifiedAt } = user
  await makeLink(tx, { purpose: 'UNDO_EMAIL_CHANGE', userId: user.id, email: old, emailVerifiedAt })
}

/** Brings the old address back and ends all sessions. Whoever changed it cannot undo that with a later link of theirs. */
export const undoEmailChange = (token: string): Promise<{ email: string }> =>
  transact(async tx => {
    const { link, user } = await useLink(tx, token, ['UNDO_EMAIL_CHANGE'])
    const now = clock.now()
    await takeAddress(tx, user, link.email, link.emailVerifiedAt)
    const all = { userId: user.id, now }
    await links.voidLinks(tx, { ...all, purposes: ['RESET_PASSWORD', 'CHANGE_EMAIL', 'CONFIRM_EMAIL'] })
    await links.voidLinks(tx, { ...all, purposes: ['UNDO_EMAIL_CHANGE'], afterSeq: link.seq })
    await endSessions(tx, { userId: user.id, reason: 'ENDED_BY_USER' })
    await notify(tx, user.id, 'EMAIL_CHANGE_UNDONE', { userId: user.id, email: link.email })
    return { email: link.email }
  })
