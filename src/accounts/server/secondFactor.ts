/** Setting up and removing second factors (product.md §5). */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError, notFound } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { seal, unseal } from '../../kit/server/encryption.ts'
import type { SecondFactors } from '../secondFactorContract.ts'
import { factorLimits, totpOf, wrongFactor } from '../secondFactorRules.ts'
import { endSessions } from './accounts.ts'
import { totpPlace } from './factorAnswers.ts'
import { assertOwnPassword } from './ownPassword.ts'
import { lockUser, userById } from './queries.ts'
import { makeRecoveryCodes, type NewRecoveryCodes } from './recoveryCodes.ts'
import { adminsNeedFactor } from './relyingParty.ts'
import * as queries from './secondFactor.queries.ts'
import { warn } from './securityEmails.ts'
import { newTotpSecret, stepOf, totpUri } from './totp.ts'

export const secondFactors = async (user: SignedIn): Promise<SecondFactors> => {
  const [passkeys, totp, recoveryCodesLeft] = await Promise.all([
    queries.passkeysOf(autocommit, user.id),
    queries.totpOf(autocommit, user.id),
    queries.recoveryCodesLeft(autocommit, user.id),
  ])
  const since = totp?.confirmedAt ?? null
  const inForce = since !== null || passkeys.length > 0
  const required = user.role === 'ADMIN' && adminsNeedFactor() && !inForce
  return { inForce, required, passkeys, totp: since === null ? null : { since }, recoveryCodesLeft }
}

/** A stolen session alone must not be able to set up the first factor; for further ones the endpoint requires a step-up. */
export const assertMayBegin = async (user: SignedIn, currentPassword: string | undefined): Promise<void> => {
  if (await queries.hasFactor(autocommit, user.id)) return
  if (currentPassword) return void (await assertOwnPassword(user, currentPassword, 'currentPassword'))
  const message = 'Enter your current password'
  throw new DomainError('INVALID_INPUT', message, { fields: { currentPassword: message } })
}

const haveApp = () =>
  new DomainError('WRONG_STATE', 'You have an authenticator app. Remove it first to set up another.')

export const beginTotp = async (user: SignedIn, currentPassword: string | undefined) => {
  await assertMayBegin(user, currentPassword)
  const { email } = await userById(autocommit, user.id)
  const secret = newTotpSecret()
  if ((await queries.putTotp(autocommit, user.id, seal(secret, totpPlace(user.id)), clock.now())) === 0) throw haveApp()
  return { secret, uri: totpUri(secret, email) }
}

/** Generated before the transaction, because hashing takes a while, and only for the first factor. */
export const codesForFirst = async (user: SignedIn): Promise<NewRecoveryCodes | null> =>
  (await queries.hasFactor(autocommit, user.id)) ? null : makeRecoveryCodes(user.id)

type Added = { recoveryCodes: string[] | null }

/**
 * The first factor brings the recovery codes, and ends the user's other sessions, because they were opened without it. The
 * current session counts as having proved it.
 */
export const putInForce = async (
  tx: Tx,
  user: SignedIn,
  { first, codes }: { first: boolean; codes: NewRecoveryCodes | null },
): Promise<Added> => {
  await queries.setProved(tx, user.sessionId, clock.now())
  if (!first) return { recoveryCodes: null }
  const stored = codes ?? (await makeRecoveryCodes(user.id))
  await stored.store(tx)
  await endSessions(tx, { userId: user.id, reason: 'ENDED_BY_USER', keepId: user.sessionId })
  return { recoveryCodes: stored.shown }
}

/** The time step of the code for the app that waits for it; null for a wrong code. Throws if no app is waiting. */
const stepOfNewApp = async (tx: Tx, user: SignedIn, code: string): Promise<number | null> => {
  const row = await queries.totpOf(tx, user.id)
  if (row?.confirmedAt) throw haveApp()
  if (!row || hoursAfter(row.createdAt, factorLimits.newAppMinutes / 60) <= clock.now())
    throw new DomainError('WRONG_STATE', 'Start setting up an authenticator app first.')
  const digits = totpOf(code)
  return digits === null ? null : stepOf(unseal(row.secret, totpPlace(user.id)), digits)
}

/** Wrong codes are counted and committed one at a time, so a stolen session cannot guess. */
const assertCodeOfNewApp = async (user: SignedIn, code: string) => {
  const right = await transact(async tx => {
    await lockUser(tx, user.id)
    if ((await stepOfNewApp(tx, user, code)) !== null) return true
    await queries.countWrongCode(tx, user.id, factorLimits.wrongAnswers)
    return false
  })
  if (!right) throw wrongFactor('code', false)
}

export const confirmTotp = async (user: SignedIn, code: string): Promise<Added> => {
  await assertCodeOfNewApp(user, code)
  const codes = await codesForFirst(user)
  return transact(async tx => {
    await lockUser(tx, user.id)
    const first = !(await queries.hasFactor(tx, user.id))
    const step = await stepOfNewApp(tx, user, code)
    if (step === null) throw wrongFactor('code', false)
    await queries.useStep(tx, user.id, step)
    await queries.confirmTotp(tx, user.id, clock.now())
    await warn(tx, user.id, 'SECOND_FACTOR_ADDED', { factor: 'TOTP', name: null })
    return putInForce(tx, user, { first, codes })
  })
}

/** Call this after removing a factor. If it was the last one, the recovery codes go too, and the password alone signs in. */
export const afterRemoval = async (tx: Tx, user: SignedIn): Promise<void> => {
  if (await queries.hasFactor(tx, user.id)) return
  if (user.role === 'ADMIN' && adminsNeedFactor())
    throw new DomainError('WRONG_STATE', 'Admins need a second factor. Add another one before you remove this one.')
  await queries.deleteRecoveryCodes(tx, user.id)
}

export const removeTotp = (user: SignedIn): Promise<void> =>
  transact(async tx => {
    await lockUser(tx, user.id)
    if (!(await queries.deleteTotp(tx, user.id))) throw notFound('Authenticator app')
    await afterRemoval(tx, user)
    await warn(tx, user.id, 'SECOND_FACTOR_REMOVED', { factor: 'TOTP', name: null })
  })

export const renewRecoveryCodes = async (user: SignedIn): Promise<{ recoveryCodes: string[] }> => {
  const codes = await makeRecoveryCodes(user.id)
  await transact(async tx => {
    await lockUser(tx, user.id)
    if (!(await queries.hasFactor(tx, user.id)))
      throw new DomainError('WRONG_STATE', 'Recovery codes come with a passkey or an authenticator app. Add one first.')
    await codes.store(tx)
    await warn(tx, user.id, 'RECOVERY_CODES_RENEWED', {})
  })
  return { recoveryCodes: codes.shown }
}
