/**
 * Emailed links that work once: to confirm an address, reset a password, move to another address or go back. Opening a link only
 * shows a screen, because mail scanners open every link; the button on it, a POST, uses the link.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import { hashOfLinkToken, linkTokenOf } from '../../kit/server/linkTokens.ts'
import { emailJob, mailGoesOut, publicAddress, sendEmail } from '../../notifications/server/notifications.ts'
import { linkHours, linkLimits, type LinkPurpose, linkRefused } from '../rules.ts'
import * as queries from './emailLinks.queries.ts'
import { lockWholeUser, type UserRow } from './queries.ts'

const screens: Record<LinkPurpose, (token: string) => string> = {
  CONFIRM_EMAIL: paths.verifyEmailWith,
  RESET_PASSWORD: paths.resetPasswordWith,
  CHANGE_EMAIL: paths.verifyEmailWith,
  STOP_EMAIL_CHANGE: paths.undoEmailChangeWith,
  UNDO_EMAIL_CHANGE: paths.undoEmailChangeWith,
}

/** Emails a link. The token is never stored, so it is derived here. */
export const sendLink: Job<{ linkId: string; kind?: 'PASSWORD_AFTER_UNDO' }> = {
  name: 'accounts.send-link',
  ...emailJob,
  atOnce: 3,
  run: async ({ linkId, kind }) => {
    const link = await queries.linkToSend(autocommit, linkId, clock.now())
    // The link was used or replaced meanwhile, or the account was deleted.
    if (!link) return
    const token = linkTokenOf(link.id)
    const hash = hashOfLinkToken(token)
    // The server's secret has changed since the link was made.
    if (!hash.equals(link.tokenHash)) await queries.replaceHash(autocommit, link.id, hash)
    const facts = {
      link: publicAddress(screens[link.purpose](token)),
      hours: linkHours[link.purpose],
      newEmail: link.newEmail ?? '',
      parts: mailGoesOut() && !link.confirmed && !link.suspended,
    }
    await sendEmail(
      link.id,
      { name: greeted(link) ? link.name : null, address: link.email },
      kind ?? link.purpose,
      facts,
    )
  },
}

/** The name is left out if a stranger may have typed both it and this address. */
const greeted = ({ purpose, confirmed, emailVerifiedAt }: queries.LinkToSend) => {
  if (purpose === 'UNDO_EMAIL_CHANGE' || purpose === 'STOP_EMAIL_CHANGE') return emailVerifiedAt !== null
  return confirmed && purpose !== 'CHANGE_EMAIL'
}

type LinkFor = {
  /** Given by jobs, so repeating one does not make a second link. */
  id?: string
  purpose: LinkPurpose
  userId: string
  email: string
  emailVerifiedAt?: string | null
  /** Given for links that stop or undo a change of address. */
  changeSeq?: number
  newEmail?: string
  /** Sends a different email than the usual one for this purpose. */
  kind?: 'PASSWORD_AFTER_UNDO'
}

/** Returns the link's place in the order of links; undefined if it already existed. */
export const makeLink = async (
  tx: Tx,
  { id = randomUUIDv7(), emailVerifiedAt = null, changeSeq, newEmail, kind, ...link }: LinkFor,
): Promise<number | undefined> => {
  const now = clock.now()
  const tokenHash = hashOfLinkToken(linkTokenOf(id))
  const expiresAt = hoursAfter(now, linkHours[link.purpose])
  const ofChange = { changeSeq: changeSeq ?? null, newEmail: newEmail ?? null }
  const row = { ...link, ...ofChange, id, tokenHash, emailVerifiedAt, createdAt: now, expiresAt }
  const seq = await queries.insertLink(tx, row)
  if (seq !== undefined) await enqueue(tx, sendLink, { linkId: id, ...(kind && { kind }) })
  return seq
}

/** True if the account has had its maximum number of links of this kind within the hour. Lock the user first. */
export const hasEnoughLinks = async (tx: Tx, userId: string, purpose: LinkPurpose): Promise<boolean> => {
  const limit = linkLimits.perAccount
  const since = hoursAfter(clock.now(), -1)
  return (await queries.countLinks(tx, { userId, purpose, since, limit })) >= limit
}

/** Finds the link before work that is only worth doing for a real one. Throws if there is none. */
export const findLink = async (tx: Tx, token: string, purposes: readonly LinkPurpose[]): Promise<queries.LinkRow> => {
  const link = await queries.linkByHash(tx, hashOfLinkToken(token), clock.now())
  if (!link || !purposes.includes(link.purpose)) throw linkRefused()
  return link
}

/** Uses up the link, and locks its user until the end of `tx`. Throws if the link was used, has expired or was replaced. */
export const useLink = async (
  tx: Tx,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<{ link: queries.LinkRow; user: UserRow }> => {
  const found = await findLink(tx, token, purposes)
  const user = await lockWholeUser(tx, found.userId)
  if (!user || !(await queries.markUsed(tx, found.id, clock.now()))) throw linkRefused()
  return { link: found, user }
}
