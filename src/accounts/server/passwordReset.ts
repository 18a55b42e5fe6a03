/**
 * A forgotten password (product.md §10). A request takes the same steps for every address and leaves the lookup to a job, so
 * neither the answer nor its timing tells which addresses have an account.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Caller } from '../../kit/endpoint.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import { countCall } from '../../kit/server/hourlyCalls.ts'
import { networkOf } from '../../kit/server/network.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import { linkLimits, linkPurposes, linkRefused, pauseHours, tooManyLinks } from '../rules.ts'
import { findLink, hasEnoughLinks, makeLink, useLink } from './emailLinks.ts'
import { type LinkRow, voidLinks, voidOlderLinks } from './emailLinks.queries.ts'
import { createUser } from './newUser.ts'
import { clearGuesses } from './passwordGuesses.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { deleteFactors } from './secondFactor.queries.ts'
import { warn } from './securityEmails.ts'
import { endSessions } from './sessionEnds.ts'
import { assertStrongEnough } from './strongPasswords.ts'

type Request = { linkId: string; email: string; limited: boolean }

/** Makes the link if there is an account, and voids older ones. Repeating the job makes no second link. */
export const sendResetLink: Job<Request> = {
  name: 'accounts.send-reset-link',
  neverPaused: 'BY_ADMIN',
  expireMinutes: 2,
  atOnce: 5,
  run: ({ linkId, email, limited }) =>
    transact(async tx => {
      const found = await queries.userByEmail(tx, email)
      const user = found && (await queries.lockWholeUser(tx, found.id))
      if (user?.email !== email) return
      if (limited && (await hasEnoughLinks(tx, user.id, 'RESET_PASSWORD'))) return
      const seq = await makeLink(tx, { id: linkId, purpose: 'RESET_PASSWORD', userId: user.id, email })
      if (seq !== undefined)
        await voidOlderLinks(tx, { userId: user.id, purpose: 'RESET_PASSWORD', seq, now: clock.now() })
    }),
}

export const forgotPassword = (email: string, { ip }: Caller, { limited }: { limited: boolean }): Promise<void> =>
  transact(async tx => {
    const asked = { kind: 'RESET_LINK', caller: networkOf(ip) }
    if (limited && (await countCall(tx, asked)).calls > linkLimits.perCaller)
      throw tooManyLinks('You have asked for too many links in the last hour. Try again later.')
    await enqueue(tx, sendResetLink, { linkId: randomUUIDv7(), email, limited })
  })

export type Reset = { email: string; newAccount: boolean }

export const resetPassword = async (token: string, password: string): Promise<Reset> => {
  // Checked first, so only real links cost a hash.
  const { userId } = await findLink(autocommit, token, ['RESET_PASSWORD'])
  await assertStrongEnough(autocommit, password, await queries.userById(autocommit, userId), 'password')
  const passwordHash = await hashPassword(password)
  return transact(async tx => {
    const { link, user } = await useLink(tx, token, ['RESET_PASSWORD'])
    if (link.email !== user.email) throw linkRefused()
    // Someone who knew the old password may have asked to move the account to another address.
    await voidLinks(tx, { userId: user.id, purposes: ['RESET_PASSWORD', 'CHANGE_EMAIL'], now: clock.now() })
    // Someone who reads the account's emails is not guessing.
    await clearGuesses(tx, user)
    const newAccount = belongsToNobodyYet(user)
    if (newAccount) await part(tx, user, link, passwordHash)
    else await setPassword(tx, user, passwordHash)
    // Factors set up before the address was confirmed may be a stranger's.
    if (neverConfirmed(user)) await deleteFactors(tx, user.id)
    return { email: link.email, newAccount }
  })
}

/**
 * Nobody had confirmed this account's address until its owner used the link, so somebody else may have registered with it. A
 * suspended account is not separated, or its owner could escape the suspension. Without a mail server no address is confirmed, so
 * this does not apply.
 */
const belongsToNobodyYet = (user: queries.UserRow) => neverConfirmed(user) && user.suspensionReason === null

const neverConfirmed = ({ emailVerifiedAt }: queries.UserRow) => mailGoesOut() && emailVerifiedAt === null

const setPassword = async (tx: Tx, user: queries.UserRow, passwordHash: string) => {
  const now = clock.now()
  await queries.setPasswordHash(tx, user.id, passwordHash)
  await endSessions(tx, { userId: user.id, reason: 'PASSWORD_CHANGED' })
  await queries.pausePayouts(tx, user.id, hoursAfter(now, pauseHours.PASSWORD_RESET), 'PASSWORD_RESET')
  const hours = user.role === 'TESTER' ? pauseHours.PASSWORD_RESET : null
  await warn(tx, user.id, 'PASSWORD_CHANGED', { userId: user.id, byLink: true, pauseHours: hours })
}

/** Removes a suspended user from campaigns. It runs in src/people, which knows campaigns. */
export const leaveCampaignsJob = 'people.leave-campaigns'

const partedReason =
  'This account’s email address was never confirmed, and the owner of the address has claimed it for an account of their own.'

/** The old account keeps its books for admins but loses the address; the owner gets an empty account. */
const part = async (tx: Tx, user: queries.UserRow, { email }: LinkRow, passwordHash: string) => {
  const now = clock.now()
  await queries.setEmail(tx, {
    id: user.id,
    email: `unconfirmed-${user.id}@unconfirmed.invalid`,
    emailVerifiedAt: null,
  })
  await queries.suspend(tx, user.id, partedReason, now)
  await endSessions(tx, { userId: user.id, reason: 'SUSPENDED' })
  await voidLinks(tx, { userId: user.id, purposes: linkPurposes, now })
  await enqueue(tx, { name: leaveCampaignsJob }, { userId: user.id })
  // The name was typed by whoever registered; the owner's name is not known yet.
  const [name = email] = email.split('@')
  await createUser(tx, { email, name: name.slice(0, 100), role: user.role, confirmed: true }, passwordHash)
}
