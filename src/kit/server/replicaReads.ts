/** Answers reads that a standby may answer (`replica` in the contract) from a standby if possible, otherwise from the primary. */
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'
import { DomainError } from '../errors.ts'
import { CallerGone, OutOfTime } from './limits.ts'
import { positionHeader, positionIn } from './positions.ts'
import { hasReplicas, type Replica, replicaAt } from './replicas.ts'

/**
 * Counts of the reads that a standby may answer: answered by a standby, by the primary instead, and by the primary after a
 * standby failed.
 */
export const readsBy = { replica: 0, primary: 0, retried: 0 }

/**
 * Undefined means the primary. It also answers callers who send no position, such as scripts, so they see their own writes
 * without knowing about standbys.
 */
const replicaFor = ({ replica }: Endpoint, { headers, signedIn }: FastifyRequest): Replica | undefined => {
  if (!replica || !signedIn || !hasReplicas()) return undefined
  const position = positionIn(headers[positionHeader])
  const chosen = position === undefined ? undefined : replicaAt(position, signedIn.id)
  if (!chosen) readsBy.primary++
  return chosen
}

/**
 * A standby cancels reads that block its replay, may go away during one, and may not know yet what somebody else has just
 * created. Input that one refuses, the other refuses too.
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
