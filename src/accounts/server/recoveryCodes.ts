/** Ten codes for signing in when the phone is lost; each works once. They are hashed like passwords because they are short. */
import { randomBytes, randomInt } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { countCall } from '../../kit/server/hourlyCalls.ts'
import { factorLimits, recoveryAlphabet, recoveryLength, shownRecoveryCode, tooManySets } from '../secondFactorRules.ts'
import { hashRecoveryCodes } from './passwords.ts'
import * as queries from './secondFactor.queries.ts'

const newCode = () =>
  Array.from({ length: recoveryLength }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('')

export type NewRecoveryCodes = { shown: string[]; store: (tx: Tx) => Promise<void> }

/** Throws if this user has requested too many sets within the hour; every request counts. */
const assertFewSets = async (userId: string) => {
  const { calls } = await countCall(autocommit, { kind: 'RECOVERY_CODES', caller: userId })
  if (calls > factorLimits.codeSetsPerHour) throw tooManySets()
}

/** Call this before the transaction that stores the codes, which should not wait for ten hashes. Throws TOO_MANY_REQUESTS. */
export const makeRecoveryCodes = async (userId: string): Promise<NewRecoveryCodes> => {
  await assertFewSets(userId)
  const salt = randomBytes(16)
  const codes = Array.from({ length: factorLimits.recoveryCodes }, newCode)
  const hashes = await hashRecoveryCodes(codes, salt)
  return {
    shown: codes.map(shownRecoveryCode),
    store: tx => queries.replaceRecoveryCodes(tx, userId, { salt, hashes, now: clock.now() }),
  }
}

/** The code's hash as it would be stored; null if the user has no codes. */
export const recoveryHashOf = async (userId: string, code: string): Promise<Buffer | null> => {
  const found = await queries.recoverySalt(autocommit, userId)
  if (!found) return null
  const [hash] = await hashRecoveryCodes([code], found.salt)
  return hash ?? null
}
