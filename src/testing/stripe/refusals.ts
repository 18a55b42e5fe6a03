/** Stripe's errors, in Stripe's format (docs.stripe.com/api/errors). */

export type ErrorFields = { type: string; code?: string; message: string; param?: string; [more: string]: unknown }

/** An answer that is not a success. `kept` is false if the idempotency key does not keep it. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly fields: ErrorFields
  readonly kept: boolean
  constructor(status: number, fields: ErrorFields, kept = true) {
    super(fields.message)
    this.status = status
    this.fields = fields
    this.kept = kept
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}, status = 400) =>
  new StripeRefusal(status, { type: 'invalid_request_error', message, ...more })

/** Refused before it was carried out: the same key may be sent again with other parameters. */
export const invalidParameters = (message: string, param?: string) =>
  new StripeRefusal(
    400,
    { type: 'invalid_request_error', code: 'parameter_invalid', message, ...(param !== undefined && { param }) },
    false,
  )

export const noSuch = (what: string, id: string, param = 'id') =>
  invalidRequest(`No such ${what}: '${id}'`, { code: 'resource_missing', param }, 404)

export const otherParameters = (key: string) =>
  new StripeRefusal(
    400,
    {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    false,
  )

export const keyInUse = (key: string) =>
  new StripeRefusal(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    false,
  )

export const tooManyRequests = () =>
  new StripeRefusal(
    429,
    { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' },
    false,
  )

export const serverError = () =>
  new StripeRefusal(500, { type: 'api_error', message: 'An unknown error occurred: this one was asked for by a test.' })
