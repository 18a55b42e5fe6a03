/**
 * How the page calls the server: signs requests, refreshes once after a 401, follows the server's clock, and throws every failure
 * as an `ApiError`. Showing errors is up to screens.
 */
import { clock } from '../clock.ts'
import type { CallInput, Endpoint, Method, ReplyOf } from '../endpoint.ts'
import type { ErrorCode, FieldErrors } from '../errors.ts'
import type { FactorRequest } from '../secondFactor.ts'
import { ApiError } from './apiError.ts'
import { takeEarly } from './early.ts'
import { logFailure } from './log.ts'
import { currentPosition, keepPosition } from './position.ts'
import { refreshAccess } from './refresh.ts'
import { secondFactor } from './secondFactor.ts'
import { session } from './session.ts'

export const basePath = '/api/v1'

/** Nothing, a page of a list (`numbered`: with page numbers), or a file. */
export type Answers = 'nothing' | 'page' | 'numbered' | 'file'

/** What a call needs to know about its endpoint. */
export type Call = {
  method: Method
  /** Below the base, with `:name` for parameters. */
  path: string
  /** Sent without the access token. */
  open?: boolean
  /** Absent if the answer is JSON, as most are. */
  answers?: Answers | undefined
  /** Takes an idempotency key, which api.ts adds. */
  idempotent?: boolean
}

type Input<E extends Endpoint> = CallInput<E> & {
  signal?: AbortSignal
  /** Given for a request that is repeated after a reload; otherwise api.ts makes one. */
  idempotencyKey?: string
  /** The browser sends the request even if the page is being left. */
  keepalive?: boolean
}

/** Uploads go through upload.ts. */
export type Client<T extends Record<string, Endpoint>> = {
  [K in keyof T as T[K] extends { upload: object } ? never : K]: object extends CallInput<T[K]>
    ? (input?: Input<T[K]>) => Promise<ReplyOf<T[K]>>
    : (input: Input<T[K]>) => Promise<ReplyOf<T[K]>>
}

/** One function for each call, typed by the contract `T` that the calls were taken from. */
export const clientOf = <T extends Record<string, Endpoint>>(calls: { [K in keyof T]: Call }): Client<T> =>
  Object.fromEntries(
    Object.entries<Call>(calls).map(([name, call]) => [name, (input?: AnyInput) => makeCall(call, input)]),
  ) as Client<T>

export type AnyInput = {
  params?: unknown
  query?: unknown
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
  keepalive?: boolean
}

/** Resolves with the reply, or rejects with an `ApiError`. If a step-up is asked for, the call is repeated after it. */
export const makeCall = async (call: Call, input: AnyInput = {}): Promise<unknown> => {
  try {
    return await callOnce(call, input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'SECOND_FACTOR_SETUP_REQUIRED') secondFactor.requireSetup()
    if (error.code !== 'STEP_UP_REQUIRED' || !error.factorRequest) throw error
    if (!(await secondFactor.prove(error.factorRequest))) throw error
    return callOnce(call, input)
  }
}

const callOnce = async (call: Call, input: AnyInput): Promise<unknown> => {
  const caller = session.user()?.id
  const token = call.open ? null : session.accessToken()
  let response = await send(call, input, token)
  if (response.status === 401 && token !== null) {
    const fresh = await tokenAfter(token)
    // Another tab may have signed in as somebody else meanwhile: never repeat a request on that person's behalf.
    if (fresh && session.ownerId() === caller) response = await send(call, input, fresh)
  }
  return readReply(call, response, input.signal)
}

/** The only call made here is a copy of the contract's line, so the landing page does without the table. */
const refreshCall: Call = { method: 'POST', path: '/auth/refresh' }

/** A new token after one was refused; null if nobody is signed in anymore. */
export const tokenAfter = (refused: string): Promise<string | null> => refreshAccess(refused, postRefresh)

const postRefresh = (body: { refreshToken: string; attempt: string }) => send(refreshCall, { body }, null)

const send = async ({ method, path }: Call, input: AnyInput, token: string | null): Promise<Response> => {
  const headers = new Headers({ accept: 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (token !== null && method === 'GET') headers.set('fieldtest-position', currentPosition())
  if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey)
  // The type is set only if there is a body, because an empty JSON body is a bad request.
  if (given(input.body)) headers.set('content-type', 'application/json')
  const address = basePath + withParams(path, input.params) + queryString(input.query)
  try {
    const response = await (takeEarly(method, address, token) ??
      fetch(address, {
        method,
        headers,
        body: given(input.body) ? JSON.stringify(input.body) : null,
        ...(input.signal && { signal: input.signal }),
        ...(input.keepalive && { keepalive: true }),
      }))
    followServerClock(response)
    keepPosition(response.headers.get('fieldtest-position'))
    return response
  } catch (cause) {
    if (input.signal?.aborted) throw cause
    throw logged(method, path, new ApiError(0, 'Network error', { code: 'NETWORK', cause }))
  }
}

const withParams = (path: string, params: unknown) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(record(params)[name])))

const queryString = (query: unknown) => {
  const set = Object.entries(record(query)).filter(([, value]) => given(value) && value !== '')
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`
}

const readReply = async (
  { method, path, answers }: Call,
  response: Response,
  signal?: AbortSignal,
): Promise<unknown> => {
  if (response.ok && answers === 'nothing') return undefined
  let body: unknown
  try {
    body = await (response.ok && answers === 'file' ? response.blob() : response.json())
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw logged(method, path, new ApiError(response.status, 'Network error', { code: 'NETWORK', cause }))
  }
  if (!response.ok) throw logged(method, path, errorOf(response.status, record(body)))
  const cursor = (rel: string) => cursorTo(rel, response.headers.get('link'))
  if (answers === 'page') return { items: body, nextCursor: cursor('next') }
  return answers === 'numbered' ? { ...record(body), nextCursor: cursor('next'), previousCursor: cursor('prev') } : body
}

export const errorOf = (status: number, body: Record<string, unknown>) => {
  const message = typeof body.message === 'string' ? body.message : ''
  return new ApiError(status, message || `HTTP ${status}`, {
    worded: message !== '',
    // Codes come from the server's table; an unknown body has none, and is only shown.
    code: typeof body.code === 'string' ? (body.code as ErrorCode) : 'UNKNOWN',
    fields: record(body.fields) as FieldErrors,
    requestId: typeof body.requestId === 'string' ? body.requestId : null,
    factorRequest: typeof body.challenge === 'string' ? (body as FactorRequest) : null,
  })
}

/** `<…?cursor=X>; rel="next"` → X. */
const cursorTo = (rel: string, link: string | null) => {
  const page = link?.split(',').find(part => RegExp(`;\\s*rel="?${rel}"?`).test(part))
  const address = page && /<([^>]*)>/.exec(page)?.[1]
  return address ? new URL(address, location.origin).searchParams.get('cursor') : null
}

/** Screens tell time by the server's clock, which a test clock may move. A difference of a few seconds is only the network. */
const followServerClock = ({ headers }: Response) => {
  const ahead = Date.parse(headers.get('x-server-time') ?? '') - clock.nowMs()
  if (Math.abs(ahead) > 5000) clock.setOffsetMs(clock.offsetMs() + ahead)
}

const given = (value: unknown) => value !== undefined && value !== null

const record = (value: unknown) => (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

const logged = (method: string, path: string, error: ApiError) => {
  logFailure(`${method} ${path}: ${error.status} ${error.message}`, error.requestId ?? '')
  return error
}
