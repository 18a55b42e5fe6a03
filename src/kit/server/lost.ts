/** What is known of work whose connection broke, or led to no primary: done, not done, or neither (decision 051). */

/** The code of an error of PostgreSQL or of the network. */
export const sqlState = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** A primary that has become a standby refuses to write. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

const gone = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** There is no connection any more, or none could be made: whoever has not committed has changed nothing. */
export const isConnectionLoss = (error: unknown): boolean => {
  if (error instanceof OutcomeUnknown) return false
  const state = sqlState(error)
  const isTold = /^(08|57P0)/.test(state) || gone.includes(state)
  return isTold || (error instanceof Error && /Connection terminated|not queryable/.test(error.message))
}

/** It may have been done: the connection broke when it had been sent and was not answered yet. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('the connection broke before it was said whether the change was made', { cause })
  }
}

/** Of what had been sent: there was no answer, and none will come. */
export const isUnanswered = (error: unknown): boolean => isConnectionLoss(error) || sqlState(error) === 'ETIMEDOUT'

/** Nothing was changed, and the next try may find a primary. */
export const mayBeTriedAgain = (error: unknown): boolean => isConnectionLoss(error) || isReadOnly(error)
