/** The user's own profile. */
import type { z } from 'zod'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { waitInZone } from '../../notifications/server/notifications.ts'
import type { ProfileChange, User } from '../contract.ts'
import { wrongTimeZone } from '../inputs.ts'
import { payoutPauseHours } from '../rules.ts'
import { recordRenamed } from './admins.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import * as queries from './queries.ts'
import { warn } from './securityEmails.ts'
import { storedTimeZone } from './timeZones.ts'
import { toUser } from './toUser.ts'

type Change = z.output<typeof ProfileChange>

export const me = async (user: SignedIn): Promise<User> => toUser(await queries.userById(autocommit, user.id))

/** The account's own email is stored as null. */
const methodAfter = ({ email, paymentMethod: before }: queries.UserRow, { paymentMethod: asked }: Change) => {
  if (asked === undefined) return before
  return asked === email ? null : asked
}

const passwordMissing = () => {
  const message = 'Enter your current password'
  return new DomainError('INVALID_INPUT', message, { fields: { currentPassword: message } })
}

/** The hash of the password sent with a new payment method; null if the method stays the same. */
const checkedHashFor = async (user: SignedIn, change: Change): Promise<string | null> => {
  const now = await queries.userById(autocommit, user.id)
  if (methodAfter(now, change) === now.paymentMethod) return null
  if (change.currentPassword === undefined) throw passwordMissing()
  return assertOwnPassword(user, change.currentPassword, 'currentPassword')
}

const timeZoneOf = async (name: string): Promise<string> => {
  const stored = await storedTimeZone(name)
  if (stored !== undefined) return stored
  throw new DomainError('INVALID_INPUT', wrongTimeZone, { fields: { timeZone: wrongTimeZone } })
}

/** A new payment method requires the current password, and the user is notified of it. */
export const updateMe = async (user: SignedIn, change: Change): Promise<User> => {
  const timeZone = change.timeZone === undefined ? {} : { timeZone: await timeZoneOf(change.timeZone) }
  const checkedHash = await checkedHashFor(user, change)
  return transact(async tx => {
    const before =
      checkedHash === null
        ? await queries.lockUser(tx, user.id)
        : await assertStillOwn(tx, user, checkedHash, 'currentPassword')
    const { currentPassword: _, ...fields } = change
    const after = { ...before, ...fields, ...timeZone, paymentMethod: methodAfter(before, change) }
    const changesMethod = after.paymentMethod !== before.paymentMethod
    // Another request has changed the method meanwhile.
    if (changesMethod && checkedHash === null) throw passwordMissing()
    if (changesMethod) after.paymentMethodChangedAt = clock.now()
    const saved = toUser(await queries.updateProfile(tx, after))
    if (user.role === 'ADMIN' && saved.name !== before.name) await recordRenamed(tx, user.id, [before.name, saved.name])
    if (saved.timeZone !== before.timeZone) await waitInZone(tx, user.id)
    if (changesMethod) {
      const pauseHours = user.role === 'TESTER' ? payoutPauseHours : null
      const facts = { userId: user.id, paymentMethod: saved.paymentMethod, pauseHours }
      await warn(tx, user.id, 'PAYMENT_METHOD_CHANGED', facts)
    }
    return saved
  })
}
