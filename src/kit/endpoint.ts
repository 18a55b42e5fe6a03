/**
 * The endpoint table: the single source for the types of handlers and client, request validation, reply shape, access
 * rule and OpenAPI document. A missing handler, a wrong body or a wrong reply does not compile.
 */
import type { ZodType, z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Role } from './roles.ts'

/** Who may call: anyone, anyone signed in, or these roles. */
export type Access = 'PUBLIC' | 'SIGNED_IN' | Role | readonly Role[]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Endpoint = {
  method: Method
  /** Below `/api/v1`, with `:name` for parameters. */
  path: string
  access: Access
  /** One line for the API document: what the endpoint does and when it is refused. */
  summary: string
  params?: ZodType
  query?: ZodType
  body?: ZodType
  /** The reply; fields that the schema does not name never leave the server. Without it, an empty 204. */
  reply?: ZodType
  /** A keyset-paged list: the body is a bare array, and a `Link: <…>; rel="next"` header leads to the next page. */
  pageOf?: ZodType
  /**
   * The list has page numbers: the body is as in `bodyOf` (schemas.ts), the query is a `numberedQuery`, and the `Link` header
   * leads to the next page, the previous one, and the first.
   */
  numbered?: true
  /**
   * The handler gives the reply in pieces of JSON text, or of the file, each within the limits of a request. For replies too
   * large to hold in memory.
   */
  streamed?: true
  /** Answers with a file of one of these types instead of JSON; the handler gives a `FileReply`. */
  file?: readonly string[]
  /** Takes one file instead of JSON: multipart/form-data with the field `file` and nothing else. */
  upload?: Upload
  /**
   * The caller's browser may keep the answer, and asks each time whether it is still current (`If-None-Match`, decision 031). For
   * lists and single objects; never for a reply with an email, a Play address, a payment method or a token.
   */
  revalidated?: true
  /** Default: 200, or 204 without a reply. */
  status?: 200 | 201
  /**
   * Takes an `Idempotency-Key` header: a repeated request has no second effect (product.md §4). For endpoints that move
   * money or create something; the web client always sends it.
   */
  idempotent?: true
  /**
   * The codes that this use case may throw, besides those that follow from the rest of the entry
   * (src/app/server/openapi/errors.ts). A test fails if it gets an answer with any other code.
   */
  errors?: readonly ErrorCode[]
  /** If the caller accepts text/event-stream, the handler may give a `LiveReply` instead: events as they happen. */
  live?: true
  /** Adds up many rows: its statements may take 15 seconds instead of 5. */
  report?: true
  /**
   * A standby may answer, seconds behind but never behind the caller's own writes (decision 046). For lists, figures and exports;
   * never for decisions about money, or about who may see or do what.
   */
  replica?: true
  /** Users with a second factor have to prove it, unless they have within ten minutes: 403 STEP_UP_REQUIRED. */
  stepUp?: true
  /** One of the few calls that an admin in production may make before setting up a second factor. */
  beforeSecondFactor?: true
}

/** The largest allowed file of any type, without the multipart frame; the types are for the document. */
export type Upload = { types: readonly string[]; maxBytes: number }

/** A reply that is a file; always with its own sandboxing policy. */
export type FileReply = {
  /** One of the endpoint's types. */
  type: string
  content: string | Uint8Array | AsyncIterable<Uint8Array>
  /** In bytes; given if the content comes in pieces. */
  length?: number
  /** Saved under this name (ASCII) instead of shown. */
  downloadAs?: string
}

/** An open connection that carries events. */
export type LiveLine = { write: (text: string) => void; end: () => void }

/** Takes over the connection, and returns the function to call when it has closed. */
export type LiveReply = { attach: (line: LiveLine) => () => void }

/** One page of a keyset-paged list; `nextCursor` is null on the last one. */
export type Page<T> = { items: T[]; nextCursor: string | null }

/** One page of a list with page numbers. The cursors go into the `Link` header, not into the body. */
export type NumberedPage<T> = {
  data: T[]
  page: number
  limit: number
  total: number
  /** True for an estimate, which is above 10,000. */
  totalIsEstimate: boolean
  nextCursor: string | null
  previousCursor: string | null
}

type Parsed<S> = S extends ZodType ? z.output<S> : undefined
type Sent<S> = S extends ZodType ? z.input<S> : undefined

export type ReplyOf<E extends Endpoint> = E extends { pageOf: infer S extends ZodType }
  ? E extends { numbered: true }
    ? NumberedPage<z.output<S>>
    : Page<z.output<S>>
  : E extends { reply: infer S extends ZodType }
    ? z.output<S>
    : E extends { file: readonly string[] }
      ? Blob
      : void

/** What a handler returns: files and streamed JSON come in pieces. */
type Given<E extends Endpoint> = E extends { file: readonly string[] }
  ? FileReply
  : E extends { streamed: true }
    ? AsyncIterable<string>
    : E extends { live: true }
      ? ReplyOf<E> | LiveReply
      : ReplyOf<E>

/** The caller as the access token identifies them; never taken from the request body. */
export type SignedIn = { id: string; role: Role; sessionId: string }

/** Where the call comes from. */
export type Caller = {
  ip: string
  userAgent: string
  requestId: string
  /** For a `live` endpoint: the caller wants events as they happen, after `lastEventId`. */
  wantsEvents: boolean
  lastEventId: string | null
}

type HandlerInput<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  /** The bytes of the file as they arrive; they end with a refusal if it is too large or cut off. */
  upload: E['upload'] extends Upload ? AsyncIterable<Uint8Array> : undefined
  user: E['access'] extends 'PUBLIC' ? SignedIn | null : SignedIn
  caller: Caller
  /** Null unless the endpoint takes a key and one was sent. */
  idempotencyKey: string | null
}

export type Handlers<T extends Record<string, Endpoint>> = {
  [K in keyof T]: (input: HandlerInput<T[K]>) => Promise<Given<T[K]>>
}

type Part<Name extends string, S> = S extends ZodType
  ? object extends z.input<S>
    ? { [N in Name]?: Sent<S> }
    : { [N in Name]: Sent<S> }
  : object

/** The input of the client's function for an endpoint: only the parts that the endpoint has. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>

export const endpoints = <const T extends Record<string, Endpoint>>(table: T): T => table
