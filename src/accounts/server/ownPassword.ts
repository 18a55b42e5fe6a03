/** The caller's own password, asked for again before what a stolen token alone must not do. */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { loginLimits, tooManyLogins } from '../rules.ts'
import { passwordMatches } from './passwords.ts'
import * as queries from './queries.ts'

const wrongPassword = (field: string) => {
  const message = 'The current password is not correct.'
  return new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })
}

/**
 * Throws unless it is the caller's password. Wrong ones are limited, so that a stolen token cannot guess on. Returns its
 * hash, for `assertStillOwn` in the transaction that follows.
 */
export const assertOwnPassword = async (user: SignedIn, password: string, field: string): Promise<string> => {
  const { email, passwordHash } = await queries.userById(autocommit, user.id)
  const now = clock.now()
  const { windowMinutes, perAccount, perAddress } = loginLimits
  const attempt = {
    email,
    ip: 'signed in',
    at: now,
    since: hoursAfter(now, -windowMinutes / 60),
    perAccount,
    perAddress,
  }
  const attemptId = await transact(tx => queries.reserveLoginAttempt(tx, attempt))
  if (attemptId === undefined) throw tooManyLogins()
  if (!(await passwordMatches(password, passwordHash))) throw wrongPassword(field)
  await transact(tx => queries.clearLoginFailures(tx, email, attemptId))
  return passwordHash
}

/** Locks the caller and throws when the password has changed since it was checked: the one given is then the old one. */
export const assertStillOwn = async (
  tx: Tx,
  user: SignedIn,
  checkedHash: string,
  field: string,
): Promise<queries.UserRow> => {
  const locked = await queries.lockUser(tx, user.id)
  if (locked.passwordHash !== checkedHash) throw wrongPassword(field)
  return locked
}
