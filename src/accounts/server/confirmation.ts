/** The confirmation of an email address, and what waits for it where emails really go out (product.md §10). */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { linkRefused, tooManyLinks, unconfirmed, type WaitsForConfirmation } from '../rules.ts'
import { moveTo } from './emailChange.ts'
import { hasEnoughLinks, makeLink, useLink } from './emailLinks.ts'
import { voidLinks } from './emailLinks.queries.ts'
import * as queries from './queries.ts'

export const askForConfirmation = (tx: Tx, { id, email }: { id: string; email: string }): Promise<void> =>
  makeLink(tx, { purpose: 'CONFIRM_EMAIL', userId: id, email })

/** Sends the link again. */
export const sendConfirmation = (user: SignedIn, { limited }: { limited: boolean }): Promise<void> =>
  transact(async tx => {
    const row = await queries.lockUser(tx, user.id)
    if (row.emailVerifiedAt !== null) throw new DomainError('WRONG_STATE', 'Your email address is confirmed already.')
    if (limited && (await hasEnoughLinks(tx, user.id, 'CONFIRM_EMAIL')))
      throw tooManyLinks('We sent you several emails within the hour. Look in your spam folder, or try again later.')
    await askForConfirmation(tx, row)
  })

/** Confirms the account's address, or moves the account to the address that its user asked for. */
export const verifyEmail = (token: string): Promise<{ email: string }> =>
  transact(async tx => {
    const { link, user } = await useLink(tx, token, ['CONFIRM_EMAIL', 'CHANGE_EMAIL'])
    if (link.purpose === 'CHANGE_EMAIL') await moveTo(tx, user, link.email)
    else if (link.email !== user.email) throw linkRefused()
    else await queries.confirmEmail(tx, user.id, clock.now())
    await voidLinks(tx, { userId: user.id, purposes: ['CONFIRM_EMAIL'], now: clock.now() })
    return { email: link.email }
  })

/** For other slices: throws if this waits until the user has confirmed their address. Without a mail server nothing does. */
export const assertConfirmed = async (tx: Tx, userId: string, action: WaitsForConfirmation): Promise<void> => {
  if (!mailGoesOut()) return
  if (action !== 'WITHDRAW' && !(await currentSettings(tx)).confirmedEmailRequired) return
  if ((await queries.userById(tx, userId)).emailVerifiedAt === null) throw unconfirmed(action)
}
