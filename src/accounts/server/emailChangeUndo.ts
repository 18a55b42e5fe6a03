/**
 * Taking an account back through its former address. Whoever moved it away knew the password, so the password is replaced and
 * everything set up since the request is removed (decision 019).
 */
import { randomBytes } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { pauseHoursFor, takeAddress } from './emailChange.ts'
import { findLink, makeLink, useLink } from './emailLinks.ts'
import * as links from './emailLinks.queries.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { deleteFactorsAfter, deleteRecoveryCodes, hasFactor } from './secondFactor.queries.ts'
import { sendCopies } from './securityEmails.ts'
import { endSessions } from './sessionEnds.ts'

const undoing = ['STOP_EMAIL_CHANGE', 'UNDO_EMAIL_CHANGE'] as const

export type Undone = {
  email: string
  /** False if the account had not moved yet. */
  moved: boolean
  removedFactors: number
}

/** Sends a link for choosing a new password to the old address, because nobody knows the password set here. */
export const undoEmailChange = async (token: string): Promise<Undone> => {
  // Checked first, so only real links cost a hash.
  await findLink(autocommit, token, undoing)
  const nobodysPassword = await hashPassword(randomBytes(32).toString('base64url'))
  return transact(async tx => {
    const { link, user } = await useLink(tx, token, undoing)
    const { id: userId } = user
    const { email, changeSeq } = link
    const now = clock.now()
    const former = await links.formerAddresses(tx, userId, now)
    const moved = user.email !== email
    if (moved) await takeAddress(tx, user, email, link.emailVerifiedAt)
    await resetPaymentMethod(tx, user, email)
    await links.voidLinks(tx, { userId, purposes: ['RESET_PASSWORD', 'CHANGE_EMAIL', 'CONFIRM_EMAIL'], now })
    await links.voidUndoLinks(tx, { userId, changeSeq, now })
    await queries.setPasswordHash(tx, userId, nobodysPassword)
    await endSessions(tx, { userId, reason: 'ENDED_BY_USER' })
    const removedFactors = await removeLaterFactors(tx, userId, changeSeq)
    await notify(tx, userId, 'EMAIL_CHANGE_UNDONE', { userId, email, moved, removedFactors })
    await makeLink(tx, { purpose: 'RESET_PASSWORD', userId, email, kind: 'PASSWORD_AFTER_UNDO' })
    if (moved) {
      const later = former.filter(address => address.changeSeq > changeSeq && address.email !== user.email)
      await sendCopies(tx, [...later, user], 'EMAIL_CHANGE_REVERTED', { email })
    }
    return { email, moved, removedFactors }
  })
}

/** The payment method may have been set by the thief, so payouts go to the owner's address until the owner chooses again. */
const resetPaymentMethod = async (tx: Tx, user: queries.UserRow, email: string) => {
  if (user.paymentMethod === null) return
  await queries.setPaymentMethod(tx, user.id, null, clock.now())
  const facts = { userId: user.id, paymentMethod: email, pauseHours: pauseHoursFor(user) }
  await notify(tx, user.id, 'PAYMENT_METHOD_CHANGED', facts)
}

const removeLaterFactors = async (tx: Tx, userId: string, changeSeq: number): Promise<number> => {
  const { passkeys, apps } = await deleteFactorsAfter(tx, userId, changeSeq)
  if (!(await hasFactor(tx, userId))) await deleteRecoveryCodes(tx, userId)
  return passkeys + apps
}
