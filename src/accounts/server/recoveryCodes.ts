/** Ten codes to sign in with when the phone is lost; each works once. Hashed like passwords, since they are short. */
import { randomBytes, randomInt } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { clock } from '../../kit/clock.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { factorLimits, recoveryAlphabet, recoveryLength, shownRecoveryCode } from '../secondFactorRules.ts'
import { hashCost } from './passwords.ts'
import * as queries from './secondFactor.queries.ts'

/** One at a time: the hashes of sign-ins go first. */
const inTurn = pLimit(1)

const hashOf = (code: string, salt: Buffer): Promise<Buffer> => inTurn(() => hashRaw(code, { ...hashCost, salt }))

const newCode = () =>
  Array.from({ length: recoveryLength }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('')

export type NewRecoveryCodes = { shown: string[]; store: (tx: Tx, userId: string) => Promise<void> }

/** Made before the transaction that stores them, which does not wait for ten hashes. */
export const makeRecoveryCodes = async (): Promise<NewRecoveryCodes> => {
  const salt = randomBytes(16)
  const codes = Array.from({ length: factorLimits.recoveryCodes }, newCode)
  const hashes = await Promise.all(codes.map(code => hashOf(code, salt)))
  return {
    shown: codes.map(shownRecoveryCode),
    store: (tx, userId) => queries.replaceRecoveryCodes(tx, userId, { salt, hashes, now: clock.now() }),
  }
}

/** The code as it is stored, or null when the user has none left. */
export const recoveryHashOf = async (userId: string, code: string): Promise<Buffer | null> => {
  const found = await queries.recoverySalt(autocommit, userId)
  return found ? hashOf(code, found.salt) : null
}
