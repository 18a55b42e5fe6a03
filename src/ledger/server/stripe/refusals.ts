/**
 * What a Stripe error says about a request. A definite refusal means that nothing has happened, and that nothing will under this
 * key. After any other error the outcome is unknown. Stripe replays errors under a key, 500s included.
 */
type Failed = { type?: string; statusCode?: number; code?: string; message?: string }

const asFailed = (error: unknown): Failed => (typeof error === 'object' && error !== null ? error : {})

/** The key was used with other parameters, so we have to look up what it made. */
export const isKeyOfAnother = (error: unknown): boolean => asFailed(error).type === 'StripeIdempotencyError'

/**
 * Not definite: 409, 429, 5xx and requests that got no answer, nor a wrong API key of ours (401, 403), which says nothing about
 * this request.
 */
export const isDefinite = (error: unknown): boolean => {
  const { type, statusCode } = asFailed(error)
  if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') return false
  return statusCode === 400 || statusCode === 402 || statusCode === 404
}

export const codeOf = (error: unknown): string | undefined => asFailed(error).code

/** Our money at Stripe is not available yet. */
export const isUncovered = (error: unknown): boolean =>
  isDefinite(error) && (codeOf(error) === 'balance_insufficient' || codeOf(error) === 'insufficient_funds')

/** A card error's message may be shown to people; other messages are about our request. */
export const cardSentence = (error: unknown): string | undefined =>
  asFailed(error).type === 'StripeCardError' ? asFailed(error).message : undefined
