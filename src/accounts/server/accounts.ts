/** Use cases of accounts: register, sign in, refresh, sign out, the user's own profile. */
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
export { deleteAdmin, deletedSince, forgetAgain, useDeleted, useExamined } from './deleting.ts'
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
    // Checked again under a lock: the user may have been suspended or changed the password meanwhile.
    const held = await queries.holdUser(tx, user.id)
    if (held?.passwordHash !== user.passwordHash) throw wrongCredentials()
    await forgive(tx, guess)
    if (held.suspensionReason !== null) return { refusal: suspended(held.suspensionReason) }
    const { id: userId, passwordHash } = held
    const factorRequest = await factorRequestOf(tx, { purpose: 'SIGN_IN', userId, passwordHash, device })
    return factorRequest ? { factorRequest } : { session: await enter(tx, held, { ...caller, device }) }
  })
  // Thrown after the commit: the guess was right and is forgiven, and the challenge has to be there when it is answered.
  if (outcome.refusal) throw outcome.refusal
  if (outcome.factorRequest) throw secondFactorRequired(outcome.factorRequest)
  return outcome.session
}

type Visit = Pick<Caller, 'ip' | 'userAgent'> & { device: string | undefined; secondFactorAt?: string | null }

/** Opens a session for someone who has proved to be the user. */
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

/** The first session of all is nobody's surprise. */
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
 * Called at startup and by `npm run admin`, the only ways to create an admin (product.md §5). Whoever runs the server
 * vouches for the address.
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
 * What a start found or made. `CREATED`: with the password if it was generated here. `THERE`: the admin of the given address, or
 * without one the admin of a first start. `ELSEWHERE`: there are admins, and none has the given address. `MADE_BEFORE`: none is given, and
 * the admins were made by a command, such as the demo's.
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
  /** Called with a password that was made up before it is committed: whatever ends the server then, nobody is left without one. */
  tell: (made: { email: string; password: string }) => void
}): Promise<FirstAdmin> => {
  const given = email && password ? { email, password } : null
  const found = async (tx: Tx): Promise<FirstAdmin | null> => {
    const user = await queries.userByEmail(tx, given?.email ?? firstAdminEmail)
    if (!given && user?.role === 'ADMIN') return { outcome: 'THERE' }
    if (!given) return (await queries.adminExists(tx)) ? { outcome: 'MADE_BEFORE' } : null
    if (user) await queries.rememberFirstAdmin(tx, given.email, clock.now())
    if (user) return { outcome: user.role === 'ADMIN' ? 'THERE' : 'ELSEWHERE' }
    // One who has moved to another address is not made a second time.
    return (await queries.wasFirstAdmin(tx, given.email)) ? { outcome: 'ELSEWHERE' } : null
  }
  const present = await found(autocommit)
  if (present) return present
  const admin = given ?? { email: firstAdminEmail, password: randomBytes(12).toString('base64url') }
  const passwordHash = await hashPassword(admin.password)
  const created = transact(async (tx): Promise<FirstAdmin> => {
    // Of several servers that start on an empty database, one creates the admin.
    await queries.lockFirstAdmin(tx)
    const meanwhile = await found(tx)
    if (meanwhile) return meanwhile
    await makeAdmin(tx, { ...admin, name: 'Admin' }, passwordHash)
    if (given) await queries.rememberFirstAdmin(tx, given.email, clock.now())
    else tell(admin)
    return { outcome: 'CREATED', email: admin.email, password: given ? null : admin.password }
  })
  // Kept for somebody who moved to another address and may still come back: no reason for a server not to start, as long as
  // somebody else can sign in as admin.
  return created.catch(async (error: unknown): Promise<FirstAdmin> => {
    const isTaken = given && error instanceof DomainError && error.code === 'EMAIL_TAKEN'
    if (isTaken && (await queries.presentAdmins(autocommit)).length > 0) return { outcome: 'ELSEWHERE' }
    throw error
  })
}

/** For other slices: throws unless the caller's account exists and is not suspended, and keeps it so until the end of `tx`. */
export const assertActive = async (tx: Tx, id: string): Promise<void> => assertMayAct(await queries.holdUser(tx, id))

/** As `assertActive`, one transaction at a time: what it then counts of this user stays true. */
export const assertActiveAlone = async (tx: Tx, id: string): Promise<void> =>
  assertMayAct(await queries.holdUser(tx, id, true))

const assertMayAct = (user: queries.UserRow | undefined) => {
  if (!user) throw refreshRefused()
  if (user.suspensionReason !== null) throw suspended(user.suspensionReason)
}

/** For other slices: a user's name, email and payment method. */
/** Those who are told what waits for an admin. */
export const adminIds = async (tx: Tx): Promise<string[]> => (await queries.presentAdmins(tx)).map(({ id }) => id)

export const userOf = async (tx: Tx, id: string): Promise<User> => toUser(await queries.userById(tx, id))

/** From now on, for the hours of the reason; a pause that ends later stays. */
export const pausePayouts = (
  tx: Tx,
  userId: string,
  because: Exclude<PauseReason, 'PAYMENT_METHOD_CHANGED'>,
): Promise<number> => queries.pausePayouts(tx, userId, hoursAfter(clock.now(), pauseHours[because]), because)
