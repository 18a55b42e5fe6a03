/** The caller's own password, asked for before actions that a stolen token alone must not allow. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { checked, forgive, reserveOwn } from './passwordGuesses.ts'
import { passwordMatches } from './passwords.ts'
import * as queries from './queries.ts'

const wrongPassword = (field: string) => {
  const message = 'The current password is not correct.'
  return new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })
}

/**
 * Throws unless this is the caller's password. Wrong ones are limited, so a stolen token does not allow guessing. Returns the
 * hash, for `assertStillOwn` in the transaction that follows.
 */
export const assertOwnPassword = async (user: SignedIn, password: string, field: string): Promise<string> => {
  const { email, passwordHash } = await queries.ownUser(autocommit, user.id)
  const guess = await reserveOwn({ id: user.id, email })
  if (!(await checked(guess, () => passwordMatches(password, passwordHash)))) throw wrongPassword(field)
  await transact(tx => forgive(tx, guess))
  return passwordHash
}

/** Locks the caller, and throws if the password has changed since it was checked. */
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
