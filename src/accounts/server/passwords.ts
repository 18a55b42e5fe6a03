/** Password hashes: argon2id with m=19 MiB, t=2, p=1 (OWASP), never so many at once that other requests have to wait. */
import { availableParallelism } from 'node:os'
import { type Options, hash, hashRaw, verify } from '@node-rs/argon2'
import pLimit, { type LimitFunction } from 'p-limit'
import { DomainError } from '../../kit/errors.ts'
import { untimed } from '../../kit/server/limits.ts'

/** Algorithm 2 is argon2id; the package's enum exists only as a type. */
const ownCost: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let hashCost = ownCost

/** For tests, which register people by the thousand. Without an argument, restores the product's own cost. */
export const setHashCost = (cost?: Pick<Options, 'memoryCost' | 'timeCost'>): void => {
  hashCost = { ...ownCost, ...cost }
  nobodysHash = undefined
}

/** Leaves one core free for everything else. */
const atOnce = Math.max(1, availableParallelism() - 1)
const onCores = pLimit(atOnce)

/** Each queue fills the cores on its own, so they take turns, and a crowd that registers does not hold up sign-ins. */
const queues = {
  signIn: { inTurn: pLimit(atOnce), places: 64, crowd: 'Too many people are signing in right now.' },
  registration: { inTurn: pLimit(atOnce), places: 16, crowd: 'Too many people are registering right now.' },
  // A new set of codes takes one place, and hashes one code after the other.
  recovery: { inTurn: pLimit(1), places: 16, crowd: 'Too many people are using recovery codes right now.' },
} as const satisfies Record<string, { inTurn: LimitFunction; places: number; crowd: string }>

type HashQueue = keyof typeof queues

/** Throws UNAVAILABLE if the queue is full. */
const inQueue = <T>(name: HashQueue, work: () => Promise<T>): Promise<T> => {
  const { inTurn, places, crowd } = queues[name]
  if (inTurn.pendingCount >= places) {
    throw new DomainError('UNAVAILABLE', `${crowd} Try again in a moment.`, { retryAfterSeconds: 2 })
  }
  return untimed(() => inTurn(work))
}

const queued = <T>(name: HashQueue, work: () => Promise<T>): Promise<T> => inQueue(name, () => onCores(work))

/** Hashes recovery codes one after the other, so hashes for sign-ins can run in between. */
export const hashRecoveryCodes = async (codes: readonly string[], salt: Buffer): Promise<Buffer[]> =>
  inQueue('recovery', async () => {
    const hashes: Buffer[] = []
    for (const code of codes) hashes.push(await onCores(() => hashRaw(code, { ...hashCost, salt })))
    return hashes
  })

/** The same letters from any keyboard (RFC 8265 §4.2): "é" is one character on one device and two on another. */
const composed = (password: string) => password.normalize('NFC')

/** Throws UNAVAILABLE if the queue is full. */
export const hashPassword = async (password: string, queue: HashQueue = 'signIn'): Promise<string> =>
  queued(queue, () => hash(composed(password), hashCost))

let nobodysHash: Promise<string> | undefined

/**
 * Takes equally long for an unknown address, so the time does not tell which addresses have an account. Throws UNAVAILABLE if the
 * queue of sign-ins is full.
 */
export const passwordMatches = async (password: string, passwordHash: string | undefined): Promise<boolean> =>
  queued('signIn', async () => {
    nobodysHash ??= hash('nobody’s password', hashCost)
    // A deleted account has an empty hash.
    const checked = passwordHash || (await nobodysHash)
    const form = composed(password)
    // Passwords set before normalization was introduced were hashed as they were typed.
    const matches = (await verify(checked, form)) || (form !== password && (await verify(checked, password)))
    return matches && Boolean(passwordHash)
  })
