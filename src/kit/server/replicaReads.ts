/** Answers what may be read from a standby (`replica` in the contract) from one, or else from the primary. */
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'
import { DomainError } from '../errors.ts'
import { CallerGone, OutOfTime } from './limits.ts'
import { positionHeader, positionIn } from './positions.ts'
import { hasReplicas, type Replica, replicaAt } from './replicas.ts'

/** How many of the reads that a standby may answer: by one, by the primary instead, and by the primary after a standby failed. */
export const readsBy = { replica: 0, primary: 0, retried: 0 }

/**
 * Undefined: the primary. That is also for whoever names no position, such as a script: it sees its own writes without knowing
 * of standbys.
 */
const replicaFor = ({ replica }: Endpoint, { headers, signedIn }: FastifyRequest): Replica | undefined => {
  if (!replica || !signedIn || !hasReplicas()) return undefined
  const position = positionIn(headers[positionHeader])
  const chosen = position === undefined ? undefined : replicaAt(position, signedIn.id)
  if (!chosen) readsBy.primary++
  return chosen
}

/**
 * A standby ends what stands in the way of what it has to replay, may go while it answers, and does not know yet what somebody
 * else has just made. The caller's refused input is refused by both.
 */
const primaryMayDiffer = (error: unknown): boolean =>
  error instanceof DomainError
    ? error.code === 'NOT_FOUND'
    : !(error instanceof CallerGone || error instanceof OutOfTime)

export const readWhereAllowed = async <T>(
  endpoint: Endpoint,
  request: FastifyRequest,
  read: (replica: Replica | undefined) => Promise<T>,
): Promise<T> => {
  const replica = replicaFor(endpoint, request)
  if (!replica) return read(undefined)
  try {
    const answer = await read(replica)
    readsBy.replica++
    return answer
  } catch (error) {
    if (!primaryMayDiffer(error)) throw error
    readsBy.retried++
    return read(undefined)
  }
}
