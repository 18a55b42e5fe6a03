import type { ErrorCode, FieldErrors } from '../errors.ts'
import type { FactorRequest } from '../secondFactor.ts'

/** Any failed call: the server's error reply, or a server that could not be reached. `message` is shown to people. */
export class ApiError extends Error {
  /** The HTTP status; 0 if no reply came. */
  readonly status: number
  readonly code: ErrorCode | 'NETWORK' | 'UNKNOWN'
  readonly fields: FieldErrors
  readonly requestId: string | null
  /** False if the answer had no message: `message` is then `HTTP {status}` (spec §8). */
  readonly worded: boolean
  /** How to prove the second factor, if the server asks for it. */
  readonly factorRequest: FactorRequest | null

  constructor(
    status: number,
    message: string,
    more: {
      code?: ApiError['code']
      fields?: FieldErrors
      requestId?: string | null
      worded?: boolean
      factorRequest?: FactorRequest | null
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = more.code ?? 'UNKNOWN'
    this.fields = more.fields ?? {}
    this.requestId = more.requestId ?? null
    this.worded = more.worded ?? true
    this.factorRequest = more.factorRequest ?? null
  }
}

/** The server understood and refused: repeating the request changes nothing. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

/**
 * Statuses that are sent before a request is read, so they say nothing about an earlier attempt: signed out, too many requests.
 */
const unread = [401, 429]

/** Leaves it uncertain whether the work was done: no reply, an incomplete one, or the server's own failure. */
export const isUncertain = (error: unknown) => !isRefusal(error) || unread.includes(error.status)

/** It does not exist, belongs to somebody else, or the address is invalid: people see no difference. */
export const isMissing = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 400)

const noWords = 'Something went wrong. Please try again.'

/** The answer's own message, or otherwise the screen's; if neither has one, `HTTP {status}` (spec §8). */
export const messageOf = (error: unknown, otherwise?: string): string => {
  if (otherwise !== undefined && error instanceof ApiError && !error.worded) return otherwise
  return error instanceof Error && error.message ? error.message : (otherwise ?? noWords)
}
