/** Password hashes: argon2id with m=19 MiB, t=2, p=1 (OWASP), and never so many at once that other requests starve. */
import { availableParallelism } from 'node:os'
import { type Options, hash, verify } from '@node-rs/argon2'

/** Algorithm 2 is argon2id; the package's enum exists only as a type. */
const cost: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let free = Math.max(1, availableParallelism() - 1)
const waiting: (() => void)[] = []

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (free > 0) free--
  else await new Promise<void>(resolve => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

let nobodysHash: Promise<string> | undefined

/** For an unknown address it takes as long and says no: nobody learns which addresses have an account. */
export const passwordMatches = async (password: string, passwordHash: string | undefined): Promise<boolean> => {
  nobodysHash ??= hashPassword('nobody’s password')
  const compared = passwordHash ?? (await nobodysHash)
  const matches = await inTurn(() => verify(compared, password))
  return matches && passwordHash !== undefined
}
