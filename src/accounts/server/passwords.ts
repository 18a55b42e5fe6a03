/** Password hashes: argon2id with m=19 MiB, t=2, p=1 (OWASP), and never so many at once that other requests wait. */
import { availableParallelism } from 'node:os'
import { type Options, hash, hashRaw, verify } from '@node-rs/argon2'
import pLimit, { type LimitFunction } from 'p-limit'
import { DomainError } from '../../kit/errors.ts'
import { untimed } from '../../kit/server/limits.ts'

/** Algorithm 2 is argon2id; the package's enum exists only as a type. */
const ownCost: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let hashCost = ownCost

/** For tests, whose people register by the thousand. Without a cost, the product's own again. */
export const setHashCost = (cost?: Pick<Options, 'memoryCost' | 'timeCost'>): void => {
  hashCost = { ...ownCost, ...cost }
  nobodysHash = undefined
}

/** One core stays free for everything else. */
const atOnce = Math.max(1, availableParallelism() - 1)
const onCores = pLimit(atOnce)

/** Each queue sends as many to the cores as fit there, so they take turns: a crowd that registers holds up no sign-in. */
const queues = {
  signIn: { inTurn: pLimit(atOnce), places: 64, crowd: 'Too many people are signing in right now.' },
  registration: { inTurn: pLimit(atOnce), places: 16, crowd: 'Too many people are registering right now.' },
  // A new set of codes takes one place, and hashes one code after the other.
  recovery: { inTurn: pLimit(1), places: 16, crowd: 'Too many people are using recovery codes right now.' },
} as const satisfies Record<string, { inTurn: LimitFunction; places: number; crowd: string }>

type HashQueue = keyof typeof queues

/** Throws UNAVAILABLE when the queue is full. */
const inQueue = <T>(name: HashQueue, work: () => Promise<T>): Promise<T> => {
  const { inTurn, places, crowd } = queues[name]
  if (inTurn.pendingCount >= places) {
    throw new DomainError('UNAVAILABLE', `${crowd} Try again in a moment.`, { retryAfterSeconds: 2 })
  }
  return untimed(() => inTurn(work))
}

const queued = <T>(name: HashQueue, work: () => Promise<T>): Promise<T> => inQueue(name, () => onCores(work))

/** The hashes of recovery codes, one after the other: those of sign-ins go between them. */
export const hashRecoveryCodes = async (codes: readonly string[], salt: Buffer): Promise<Buffer[]> =>
  inQueue('recovery', async () => {
    const hashes: Buffer[] = []
    for (const code of codes) hashes.push(await onCores(() => hashRaw(code, { ...hashCost, salt })))
    return hashes
  })

/** The same letters, whichever keyboard typed them (RFC 8265 §4.2): "é" is one character on one device and two on another. */
const composed = (password: string) => password.normalize('NFC')

/** Throws UNAVAILABLE when the queue is full. */
export const hashPassword = async (password: string, queue: HashQueue = 'signIn'): Promise<string> =>
  queued(queue, () => hash(composed(password), hashCost))

let nobodysHash: Promise<string> | undefined

/**
 * Takes as long for an unknown address, so that the time does not tell which addresses have an account. Throws UNAVAILABLE
 * when the queue of sign-ins is full.
 */
export const passwordMatches = async (password: string, passwordHash: string | undefined): Promise<boolean> =>
  queued('signIn', async () => {
    nobodysHash ??= hash('nobody’s password', hashCost)
    // A deleted account's is empty.
    const checked = passwordHash || (await nobodysHash)
    const form = composed(password)
    // What was set before passwords had one form was hashed as it was typed.
    const matches = (await verify(checked, form)) || (form !== password && (await verify(checked, password)))
    return matches && Boolean(passwordHash)
  })
