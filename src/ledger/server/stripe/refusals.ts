/**
 * What an error of Stripe says of a request. A definite refusal says that nothing has happened, and that nothing will under this
 * key; of everything else nobody knows. Errors are replayed under a key, 500s included.
 */
type Failed = { type?: string; statusCode?: number; code?: string; message?: string }

const asFailed = (error: unknown): Failed => (typeof error === 'object' && error !== null ? error : {})

/** The key was used with other parameters: what it made has to be looked up. */
export const isKeyOfAnother = (error: unknown): boolean => asFailed(error).type === 'StripeIdempotencyError'

/** 409, 429, 5xx and what never arrived are not: nor a wrong key of ours (401, 403), which is no answer to this request. */
export const isDefinite = (error: unknown): boolean => {
  const { type, statusCode } = asFailed(error)
  if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') return false
  return statusCode === 400 || statusCode === 402 || statusCode === 404
}

export const codeOf = (error: unknown): string | undefined => asFailed(error).code

/** Our money at Stripe is not available yet. */
export const isUncovered = (error: unknown): boolean =>
  isDefinite(error) && (codeOf(error) === 'balance_insufficient' || codeOf(error) === 'insufficient_funds')

/** A card’s own sentence may be shown; others speak of our request. */
export const cardSentence = (error: unknown): string | undefined =>
  asFailed(error).type === 'StripeCardError' ? asFailed(error).message : undefined
