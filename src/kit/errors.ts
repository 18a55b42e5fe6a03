import type { FactorRequest } from './secondFactor.ts'

/**
 * Every error that a caller can get, with its HTTP status, in one table, so a code means the same everywhere. The body is `{
 * statusCode, code, message, fields?, requestId }` (product.md §5).
 */
export const errorStatus = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  WRONG_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_EXPIRED: 401,
  PAYMENT_DECLINED: 402,
  FORBIDDEN: 403,
  SUSPENDED: 403,
  STEP_UP_REQUIRED: 403,
  SECOND_FACTOR_SETUP_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  WRONG_STATE: 409,
  EMAIL_TAKEN: 409,
  CAMPAIGN_FULL: 409,
  ALREADY_JOINED: 409,
  PLAY_ACCOUNT_TAKEN: 409,
  ALREADY_CHECKED_IN: 409,
  TOO_EARLY: 409,
  PAYOUT_METHOD_PAUSED: 409,
  LIMIT_REACHED: 409,
  EMAIL_NOT_CONFIRMED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  WRONG_AMOUNT: 422,
  INSUFFICIENT_BALANCE: 422,
  DEVICE_DOES_NOT_FIT: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

/** Dotted path of a request field (`filters.countries`) → what is wrong with it. */
export type FieldErrors = Record<string, string>

export type ErrorBody = {
  statusCode: number
  code: ErrorCode
  message: string
  fields?: FieldErrors
  requestId?: string
} & Partial<FactorRequest>

/** A refusal that the caller can act on. `message` is shown to people. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  /** Seconds until a retry makes sense (429, 503). */
  readonly retryAfterSeconds: number | undefined
  /** The id of the request that was refused first, if this refusal was kept and is repeated. */
  readonly requestId: string | undefined
  /** How to prove the second factor that is required. */
  readonly factorRequest: FactorRequest | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      fields?: FieldErrors | undefined
      retryAfterSeconds?: number
      requestId?: string | undefined
      factorRequest?: FactorRequest
      /** For the log. */
      cause?: Error
    } = {},
  ) {
    super(message, more.cause && { cause: more.cause })
    this.name = 'DomainError'
    this.code = code
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
    this.requestId = more.requestId
    this.factorRequest = more.factorRequest
  }
}

/** "Campaign not found." also means "not yours", so nobody learns what others have (product.md §5). */
export const notFound = (noun: string) => new DomainError('NOT_FOUND', `${noun} not found.`)
