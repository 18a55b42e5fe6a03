/** Only what Stripe has certainly not done, and will never do under this key, counts as a refusal. */
import { describe, expect, test } from 'vitest'
import { cardSentence, isDefinite, isUncovered } from './refusals.ts'

const failed = (type: string, statusCode?: number, code?: string) => ({ type, statusCode, code })

describe('an error of Stripe', () => {
  test.each([
    ['StripeInvalidRequestError', 400],
    ['StripeInvalidRequestError', 404],
    ['StripeCardError', 402],
  ])('%s with %d is definite', (type, status) => expect(isDefinite(failed(type, status))).toBe(true))

  test.each([
    ['StripeInvalidRequestError', 401],
    ['StripeInvalidRequestError', 403],
    ['StripeInvalidRequestError', 405],
    ['StripeInvalidRequestError', 409],
    ['StripeInvalidRequestError', 429],
    ['StripeInvalidRequestError', 500],
    ['StripeInvalidRequestError', undefined],
    ['StripeAPIError', 500],
    ['StripeAPIError', 400],
    ['StripeAuthenticationError', 401],
    ['StripeConnectionError', undefined],
    ['StripeIdempotencyError', 400],
    ['StripeRateLimitError', 429],
  ])('%s with %s says nothing', (type, status) => expect(isDefinite(failed(type, status))).toBe(false))

  test.each([undefined, null, 'socket hang up', new Error('socket hang up')])('%s says nothing', error =>
    expect(isDefinite(error)).toBe(false),
  )

  test.each([
    ['balance_insufficient', 400, true],
    ['insufficient_funds', 400, true],
    ['balance_insufficient', 500, false],
    ['charge_already_refunded', 400, false],
  ])('%s with %d: not covered is %s', (code, status, expected) =>
    expect(isUncovered(failed('StripeInvalidRequestError', status, code))).toBe(expected),
  )

  test('is shown to people only if it comes from the card', () => {
    const message = 'Your card was declined.'
    expect(cardSentence({ type: 'StripeCardError', message })).toBe(message)
    expect(cardSentence({ type: 'StripeInvalidRequestError', message })).toBeUndefined()
    expect(cardSentence(undefined)).toBeUndefined()
  })
})
