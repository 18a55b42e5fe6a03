/** Password hashes: argon2id with m=19 MiB, t=2, p=1 (OWASP), and never so many at once that other requests wait. */
import { availableParallelism } from 'node:os'
import { type Options, hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

/** Algorithm 2 is argon2id; the package's enum exists only as a type. */
const cost: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One core stays free for everything else. */
const inTurn = pLimit(Math.max(1, availableParallelism() - 1))

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

let nobodysHash: Promise<string> | undefined

/** Takes as long for an unknown address, so that the time does not tell which addresses have an account. */
export const passwordMatches = async (password: string, passwordHash: string | undefined): Promise<boolean> => {
  nobodysHash ??= hashPassword('nobody’s password')
  const compared = passwordHash ?? (await nobodysHash)
  const matches = await inTurn(() => verify(compared, password))
  return matches && passwordHash !== undefined
}
