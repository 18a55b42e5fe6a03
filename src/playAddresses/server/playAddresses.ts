/**
 * The Play addresses of testers. They are sealed at rest, and opened only for the developer's list, for the link to the test, and
 * for the tester. If you add another place that shows one, add it to src/app/server/playAddressLeaks.test.ts.
 */
import { clock } from '../../kit/clock.ts'
import { DomainError, type FieldErrors } from '../../kit/errors.ts'
import type { Tx } from '../../kit/server/db.ts'
import { consentVersion } from '../consent.ts'
import { type OwnPlayAddress, PlayConsent } from '../contract.ts'
import * as queries from './queries.ts'
import { openedOf, sealedFor } from './sealing.ts'

export { fingerprintOf } from './sealing.ts'

/** What is stored with a seat. */
export type NewPlayAddress = { sealed: Buffer; hash: Buffer; consentVersion: number }

type Asked = {
  playEmail?: string | undefined
  consent?: boolean | undefined
  consentVersion?: number | undefined
}

/** The tester's address and consent, ready to be stored. Throws 400 when either is missing. */
export const assertConsent = (
  participationId: string,
  { consentVersion: agreedTo, ...asked }: Asked,
): NewPlayAddress => {
  const parsed = PlayConsent.safeParse(asked)
  if (!parsed.success) {
    const fields: FieldErrors = {}
    for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= message
    throw new DomainError('INVALID_INPUT', Object.values(fields)[0]!, { fields })
  }
  if (agreedTo !== undefined && agreedTo !== consentVersion) {
    const message = 'The text that you agree to has changed. Reopen this form and read it first.'
    throw new DomainError('INVALID_INPUT', message, { fields: { consent: message } })
  }
  return { ...sealedFor(participationId, parsed.data.playEmail), consentVersion }
}

/** For the tester and for the developer's list only. Null once it is erased, or if none was asked for. */
export const playAddressOf = async (tx: Tx, participationId: string): Promise<string | null> =>
  (await playAddressesOf(tx, [participationId])).get(participationId) ?? null

/** By participation; erased ones are missing. */
export const playAddressesOf = async (tx: Tx, participationIds: readonly string[]): Promise<Map<string, string>> =>
  new Map((await queries.addressesOf(tx, participationIds)).map(row => [row.participationId, openedOf(row)]))

/** For the tester only: prefills the form of their next test. */
export const lastPlayAddressOf = async (tx: Tx, testerId: string): Promise<string | null> => {
  const row = await queries.lastOf(tx, testerId)
  return row ? openedOf(row) : null
}

/** For the tester's own export: the page after this participation. */
export const ownPlayAddresses = async (
  tx: Tx,
  testerId: string,
  after: string | undefined,
  limit: number,
): Promise<OwnPlayAddress[]> =>
  (await queries.pageOf(tx, testerId, after, limit)).map(({ sealed, ...row }) => ({
    ...row,
    playEmail: sealed && openedOf({ participationId: row.participationId, sealed }),
  }))

/** When an account is deleted: erases its own addresses, and those that it received for its campaigns. */
export const erasePlayAddressesOf = async (tx: Tx, userId: string): Promise<void> => {
  await queries.eraseOf(tx, userId, clock.now())
}

/** For the list of erasures beside the backups. */
export const addressesErasedSince = (tx: Tx, since: string): Promise<queries.Erased[]> => queries.erasedSince(tx, since)

/** In a restored copy that still contains them. Returns how many there were. */
export const eraseAgain = (tx: Tx, participationIds: readonly string[]): Promise<number> =>
  queries.eraseThese(tx, participationIds, clock.now())
