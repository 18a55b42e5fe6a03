import type { ErrorCode, FieldErrors } from '../errors.ts'
import type { FactorRequest } from '../secondFactor.ts'

/** Any failed call: the server's error reply, or that the server could not be reached. `message` is shown to people. */
export class ApiError extends Error {
  /** The HTTP status, 0 when no reply came. */
  readonly status: number
  readonly code: ErrorCode | 'NETWORK' | 'UNKNOWN'
  readonly fields: FieldErrors
  readonly requestId: string | null
  /** False if the answer carried no message: `message` is then `HTTP {status}` (spec §8). */
  readonly worded: boolean
  /** What to prove the second factor with, when the server asks for it. */
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

/** Sent before the request was read, so that they say nothing about an earlier attempt: signed out, too many requests. */
const unread = [401, 429]

/** Leaves open whether the work was done: no reply, one that broke off, or the server's own failure. */
export const isUncertain = (error: unknown) => !isRefusal(error) || unread.includes(error.status)

/** It does not exist, it is not the user's own, or the address is invalid: people see no difference. */
export const isMissing = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 400)

const noWords = 'Something went wrong. Please try again.'

/** The answer's own message, or else the screen's; a screen that has none says `HTTP {status}` (spec §8). */
export const messageOf = (error: unknown, otherwise?: string): string => {
  if (otherwise !== undefined && error instanceof ApiError && !error.worded) return otherwise
  return error instanceof Error && error.message ? error.message : (otherwise ?? noWords)
}
