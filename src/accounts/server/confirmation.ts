/** Confirming an email address, and what waits for it if the server sends emails (product.md §10). */
import { clock } from '../../kit/clock.ts'
import type { Caller, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Sql } from 'sql-template-tag'
import { autocommit, sql, transact, type Tx } from '../../kit/server/db.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import type { User } from '../contract.ts'
import { linkRefused, ofAnotherAccount, tooManyLinks, unconfirmed, type WaitsForConfirmation } from '../rules.ts'
import { moveTo } from './emailChange.ts'
import { findLink, hasEnoughLinks, makeLink, useLink } from './emailLinks.ts'
import { voidLinks } from './emailLinks.queries.ts'
import { checked, forgive, reserveSignIn } from './passwordGuesses.ts'
import { passwordMatches } from './passwords.ts'
import * as queries from './queries.ts'
import { toUser } from './toUser.ts'

export const askForConfirmation = async (tx: Tx, { id, email }: { id: string; email: string }): Promise<void> => {
  await makeLink(tx, { purpose: 'CONFIRM_EMAIL', userId: id, email })
}

/** Sends another confirmation link. */
export const sendConfirmation = (user: SignedIn, { limited }: { limited: boolean }): Promise<void> =>
  transact(async tx => {
    const row = await queries.lockUser(tx, user.id)
    if (row.emailVerifiedAt !== null) throw new DomainError('WRONG_STATE', 'Your email address is already confirmed.')
    if (limited && (await hasEnoughLinks(tx, user.id, 'CONFIRM_EMAIL')))
      throw tooManyLinks(
        'We have sent you several emails in the last hour. Check your spam folder, or try again later.',
      )
    await askForConfirmation(tx, row)
  })

const confirming = ['CONFIRM_EMAIL', 'CHANGE_EMAIL'] as const

type Proof = { token: string; password: string }

/**
 * Asks for the account's password, because someone who reads the emails of an address need not be the person who registered with
 * it or asked to move to it (decision 019).
 */
export const verifyEmail = async (
  { token, password }: Proof,
  { ip }: Caller,
  { limited }: { limited: boolean },
): Promise<{ email: string }> => {
  const { userId } = await findLink(autocommit, token, confirming)
  const { email, passwordHash } = await queries.userById(autocommit, userId)
  const guess = await reserveSignIn(email, { ip, device: undefined }, limited)
  if (!(await checked(guess, () => passwordMatches(password, passwordHash)))) throw wrongPassword()
  await transact(tx => forgive(tx, guess))
  return transact(tx =>
    confirm(tx, token, user => {
      if (user.passwordHash !== passwordHash) throw wrongPassword()
    }),
  )
}

const wrongPassword = () => {
  const message = 'That is not the password for this account.'
  return new DomainError('INVALID_INPUT', message, { fields: { password: message } })
}

/** Needs no password, because the session's user has proved it before. */
export const confirmOwnEmail = async (signedIn: SignedIn, token: string): Promise<User> => {
  const { userId } = await findLink(autocommit, token, confirming)
  if (userId !== signedIn.id) throw ofAnotherAccount()
  await transact(tx => confirm(tx, token, () => undefined))
  return toUser(await queries.userById(autocommit, signedIn.id))
}

/** Confirms the account's address, or moves the account to the address that its user requested. */
const confirm = async (tx: Tx, token: string, check: (user: queries.UserRow) => void): Promise<{ email: string }> => {
  const { link, user } = await useLink(tx, token, confirming)
  check(user)
  if (link.purpose === 'CHANGE_EMAIL') await moveTo(tx, user, link)
  else if (link.email !== user.email) throw linkRefused()
  else await queries.confirmEmail(tx, user.id, clock.now())
  await voidLinks(tx, { userId: user.id, purposes: ['CONFIRM_EMAIL'], now: clock.now() })
  return { email: link.email }
}

/**
 * For other slices: throws if this action has to wait until the user confirms their address. Without a mail server nothing waits.
 */
export const assertConfirmed = async (tx: Tx, userId: string, action: WaitsForConfirmation): Promise<void> => {
  if (!mailGoesOut()) return
  if (action !== 'WITHDRAW' && !(await currentSettings(tx)).confirmedEmailRequired) return
  if ((await queries.userById(tx, userId)).emailVerifiedAt === null) throw unconfirmed(action)
}

/** The same condition as `assertConfirmed` for joining, as SQL: the user is `u`, the settings are `s`. */
export const confirmedOrNeedNotBe = (): Sql =>
  mailGoesOut() ? sql`(u.email_verified_at is not null or not s.confirmed_email_required)` : sql`true`
