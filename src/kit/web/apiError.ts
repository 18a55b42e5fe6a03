import type { ErrorCode, FieldErrors } from '../errors.ts'

/** Every failure of a call: what the server said, or that it could not be reached. `message` is for people. */
export class ApiError extends Error {
  /** The HTTP status, 0 when no answer came. */
  readonly status: number
  readonly code: ErrorCode | 'NETWORK' | 'UNKNOWN'
  readonly fields: FieldErrors
  readonly requestId: string | null

  constructor(
    status: number,
    message: string,
    more: { code?: ApiError['code']; fields?: FieldErrors; requestId?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = more.code ?? 'UNKNOWN'
    this.fields = more.fields ?? {}
    this.requestId = more.requestId ?? null
  }
}

/** No answer, or an answer that leaves open whether the work was done. */
export const isUncertain = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The server understood and refused: asking again changes nothing. */
export const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500

/** Not there, not yours, or an address that is none: the same to whoever asks. */
export const isMissing = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 400)

/** What to show of an error: its own sentence, else the screen's. */
export const messageOf = (error: unknown, otherwise: string) =>
  error instanceof Error && error.message ? error.message : otherwise
