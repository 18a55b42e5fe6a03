/**
 * What is known about work whose connection broke or did not lead to a primary: it was done, it was not, or nobody knows
 * (decision 051).
 */

/** The code of an error of PostgreSQL or of the network. */
export const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** A primary that has become a standby refuses to write. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

const gone = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** The connection is gone, or none could be made: work that was not committed has changed nothing. */
export const isConnectionLoss = (error: unknown): boolean => {
  if (error instanceof OutcomeUnknown) return false
  const state = sqlState(error)
  const isTold = /^(08|57P0)/.test(state) || gone.includes(state)
  return isTold || (error instanceof Error && /Connection terminated|not queryable/.test(error.message))
}

/** The work may have been done: the connection broke after it was sent and before it was answered. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('the connection broke before it was said whether the change was made', { cause })
  }
}

/** What was sent has had no answer, and none will come. */
export const isUnanswered = (error: unknown): boolean => isConnectionLoss(error) || sqlState(error) === 'ETIMEDOUT'

/** Nothing was changed, and the next try may find a primary. */
export const mayBeTriedAgain = (error: unknown): boolean => isConnectionLoss(error) || isReadOnly(error)
