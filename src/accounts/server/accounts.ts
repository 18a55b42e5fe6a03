/** Use cases of accounts: register, sign in and out, first admin, and what other slices ask about users. */
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import { clock, daysAfter, hoursAfter } from '../../kit/clock.ts'
import type { Caller, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Role } from '../../kit/roles.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { networkOf } from '../../kit/server/network.ts'
import { deviceOf } from '../../kit/userAgent.ts'
import type { Credentials, Registration, Session, Tokens, User } from '../contract.ts'
import { loginLimits, pauseHours, type PauseReason, sessionEnd, suspended, wrongCredentials } from '../rules.ts'
import { recordCreated } from './admins.ts'
import { askForConfirmation } from './confirmation.ts'
import { createUser } from './newUser.ts'
import { secondFactorRequired } from '../secondFactorRules.ts'
import { factorRequestOf } from './factorChallenges.ts'
import { checked, forgive, reserveSignIn } from './passwordGuesses.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import * as queries from './queries.ts'
import { issueTokens, refreshRefused } from './refresh.ts'
import { warn } from './securityEmails.ts'
import { closeSession, makeRoomForSession } from './sessionEnds.ts'
import { toUser } from './toUser.ts'
import { assertStrongEnough } from './strongPasswords.ts'

export { assertConfirmed, confirmedOrNeedNotBe } from './confirmation.ts'
export { deleteAdmin, deletedSince, forgetAgain, useBankMinimum, useDeleted, useExamined } from './deleting.ts'
export { leaveCampaignsJob } from './passwordReset.ts'
export { endSessions } from './sessionEnds.ts'

export const register = async (input: z.output<typeof Registration>, caller: Caller): Promise<Session> => {
  await assertStrongEnough(autocommit, input.password, input, 'password')
  const passwordHash = await hashPassword(input.password, 'registration')
  return transact(async tx => {
    const user = await createUser(tx, input, passwordHash)
    await askForConfirmation(tx, user)
    return enter(tx, user, { ...caller, device: input.deviceFingerprint })
  })
}

export type LoginOptions = {
  /** False when rate limits are off (tests). */
  limited: boolean
}

export const login = async (
  input: z.output<typeof Credentials>,
  caller: Caller,
  { limited }: LoginOptions,
): Promise<Session> => {
  const { email, password } = input
  const device = input.deviceFingerprint
  const guess = await reserveSignIn(email, { ip: caller.ip, device }, limited)
  const user = await queries.userByEmail(autocommit, email)
  const matches = await checked(guess, () => passwordMatches(password, user?.passwordHash))
  if (!matches || !user) throw wrongCredentials()
  const outcome = await transact(async tx => {
    // Checked again under a lock, because the user may have been suspended or changed the password meanwhile.
    const held = await queries.holdUser(tx, user.id)
    if (held?.passwordHash !== user.passwordHash) throw wrongCredentials()
    await forgive(tx, guess)
    if (held.suspensionReason !== null) return { refusal: suspended(held.suspensionReason) }
    const { id: userId, passwordHash } = held
    const factorRequest = await factorRequestOf(tx, { purpose: 'SIGN_IN', userId, passwordHash, device })
    return factorRequest ? { factorRequest } : { session: await enter(tx, held, { ...caller, device }) }
  })
  // Thrown after the commit, because the guess was right and must be forgiven, and the challenge must exist when it is answered.
  if (outcome.refusal) throw outcome.refusal
  if (outcome.factorRequest) throw secondFactorRequired(outcome.factorRequest)
  return outcome.session
}

type Visit = Pick<Caller, 'ip' | 'userAgent'> & { device: string | undefined; secondFactorAt?: string | null }

/** Opens a session for someone who has proved who they are. */
export const enter = async (tx: Tx, user: queries.UserRow, visit: Visit): Promise<Session> => ({
  ...(await openSession(tx, user, visit)),
  user: toUser(user),
})

const openSession = async (
  tx: Tx,
  user: { id: string; role: Role },
  { ip, userAgent, device, secondFactorAt = null }: Visit,
): Promise<Tokens> => {
  await makeRoomForSession(tx, user.id)
  await warnOfNewDevice(tx, user.id, { ip, userAgent, device })
  const now = clock.now()
  const id = randomUUIDv7()
  const where = { ip, network: networkOf(ip), userAgent, device: device || null, secondFactorAt }
  await queries.insertSession(tx, { id, userId: user.id, now, expiresAt: sessionEnd(now, now), ...where })
  return issueTokens(tx, user, { id, beganAt: now })
}

/** Nobody is warned of their very first session. */
const warnOfNewDevice = async (tx: Tx, userId: string, { ip, userAgent, device }: Visit) => {
  const at = clock.now()
  const visit = { userId, ip, userAgent, device: device || null, since: daysAfter(at, -loginLimits.knownDays) }
  if (!(await queries.isNewDevice(tx, visit))) return
  await warn(tx, userId, 'NEW_DEVICE', { userId, device: deviceOf(userAgent), ip, at })
}

export const logout = (user: SignedIn): Promise<void> =>
  transact(async tx => {
    await closeSession(tx, user.sessionId, 'LOGOUT')
  })

/**
 * Called at startup and by `npm run admin`, the only ways to create an admin (product.md §5). The address counts as confirmed,
 * because whoever runs the server vouches for it.
 */
export const createAdmin = async (admin: { email: string; password: string; name: string }): Promise<void> => {
  await assertStrongEnough(autocommit, admin.password, { ...admin, role: 'ADMIN' }, 'password')
  const passwordHash = await hashPassword(admin.password)
  await transact(tx => makeAdmin(tx, admin, passwordHash))
}

const makeAdmin = async (tx: Tx, admin: { email: string; name: string }, passwordHash: string): Promise<void> => {
  const user = await createUser(tx, { ...admin, role: 'ADMIN', confirmed: true }, passwordHash)
  await recordCreated(tx, user)
}

/**
 * What a start found or created. `CREATED`: contains the password if it was generated here. `THERE`: the admin with the given
 * address exists or, if none is given, the admin of a first start. `ELSEWHERE`: an address is given, but no admin has it.
 * `MADE_BEFORE`: no address is given, and the existing admins were created by a command, such as the demo's.
 */
export type FirstAdmin =
  | { outcome: 'CREATED'; email: string; password: string | null }
  | { outcome: 'THERE' | 'ELSEWHERE' | 'MADE_BEFORE' }

const firstAdminEmail = 'admin@fieldtest.local'

export const ensureAdmin = async ({
  email,
  password,
  tell,
}: {
  email?: string | undefined
  password?: string | undefined
  /**
   * Called with a generated password before the commit, so the server cannot die and leave an admin whose password nobody knows.
   */
  tell: (made: { email: string; password: string }) => void
}): Promise<FirstAdmin> => {
  const given = email && password ? { email, password } : null
  const found = async (tx: Tx): Promise<FirstAdmin | null> => {
    // Before the address is looked up: another server may create the first admin between the two statements.
    const hadAdmin = await (given ? queries.wasFirstAdmin(tx, given.email) : queries.adminExists(tx))
    if (!given && !hadAdmin) return null
    const user = await queries.userByEmail(tx, given?.email ?? firstAdminEmail)
    if (!given) return { outcome: user?.role === 'ADMIN' ? 'THERE' : 'MADE_BEFORE' }
    if (user) await queries.rememberFirstAdmin(tx, given.email, clock.now())
    if (user) return { outcome: user.role === 'ADMIN' ? 'THERE' : 'ELSEWHERE' }
    // An admin who has since changed their address is not created again.
    return hadAdmin ? { outcome: 'ELSEWHERE' } : null
  }
  const present = await found(autocommit)
  if (present) return present
  const admin = given ?? { email: firstAdminEmail, password: randomBytes(12).toString('base64url') }
  const passwordHash = await hashPassword(admin.password)
  const created = transact(async (tx): Promise<FirstAdmin> => {
    // If several servers start on an empty database, only one creates the admin.
    await queries.lockFirstAdmin(tx)
    const meanwhile = await found(tx)
    if (meanwhile) return meanwhile
    await makeAdmin(tx, { ...admin, name: 'Admin' }, passwordHash)
    if (given) await queries.rememberFirstAdmin(tx, given.email, clock.now())
    else tell(admin)
    return { outcome: 'CREATED', email: admin.email, password: given ? null : admin.password }
  })
  // The address is reserved for a user who moved away from it and may still come back. That should not keep the server from
  // starting as long as another admin can sign in.
  return created.catch(async (error: unknown): Promise<FirstAdmin> => {
    const isTaken = given && error instanceof DomainError && error.code === 'EMAIL_TAKEN'
    if (isTaken && (await queries.presentAdmins(autocommit)).length > 0) return { outcome: 'ELSEWHERE' }
    throw error
  })
}

/** For other slices: throws unless the user exists and is not suspended, which cannot change until the end of `tx`. */
export const assertActive = async (tx: Tx, id: string): Promise<void> => assertMayAct(await queries.holdUser(tx, id))

/** Like `assertActive`, but for one such transaction per user at a time, so what it counts for this user stays true. */
export const assertActiveAlone = async (tx: Tx, id: string): Promise<void> =>
  assertMayAct(await queries.holdUser(tx, id, true))

const assertMayAct = (user: queries.UserRow | undefined) => {
  if (!user) throw refreshRefused()
  if (user.suspensionReason !== null) throw suspended(user.suspensionReason)
}

/** The admins who are notified of what waits for an admin. */
export const adminIds = async (tx: Tx): Promise<string[]> => (await queries.presentAdmins(tx)).map(({ id }) => id)

export const userOf = async (tx: Tx, id: string): Promise<User> => toUser(await queries.userById(tx, id))

/** Pauses withdrawals from now on, for the hours of this reason; a pause that ends later is kept. */
export const pausePayouts = (
  tx: Tx,
  userId: string,
  because: Exclude<PauseReason, 'PAYMENT_METHOD_CHANGED'>,
): Promise<number> => queries.pausePayouts(tx, userId, hoursAfter(clock.now(), pauseHours[because]), because)
