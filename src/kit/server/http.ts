/**
 * Mounts the endpoint tables on Fastify: one route per endpoint, which authorizes the caller, parses the request, calls
 * the handler and serializes what the contract names. Refusals come in a fixed order: 401, 403, a malformed body, invalid
 * fields, then those of the use case.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { clock } from '../clock.ts'
import type { Access, Caller, Endpoint, FileReply, Handlers, Method, SignedIn } from '../endpoint.ts'
import { DomainError } from '../errors.ts'
import { bodyOf } from '../schemas.ts'
import { sendFile } from './fileReplies.ts'
import { sendIfChanged } from './ifChanged.ts'
import { assertMayPass } from './guard.ts'
import { parse } from './input.ts'
import {
  abandon,
  during,
  type PoolName,
  reportLimits,
  requestLimits,
  requestWork,
  type Work,
  workOf,
} from './limits.ts'
import { isLive, sendLive } from './live.ts'
import { addressOf } from './network.ts'
import { bodyWithLinks } from './otherPages.ts'
import { positionHeader } from './positions.ts'
import { readWhereAllowed } from './replicaReads.ts'
import type { Replica } from './replicas.ts'
import { replySchema } from './replySchema.ts'
import { readAccessToken } from './session.ts'
import { takeUploads, uploadOf } from './uploads.ts'

export const apiBase = '/api/v1'

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | null
  }
  interface FastifyInstance {
    /** Every mounted endpoint; the API document is made from them. */
    mounted: Mounted[]
  }
}

/** An endpoint with its table's name and its own, such as `campaigns` and `fund`. */
export type Mounted = { table: string; name: string; endpoint: Endpoint }

/** The status of a request that was not refused. */
export const successOf = ({ status, reply, pageOf, file }: Endpoint): number =>
  status ?? (reply || pageOf || file ? 200 : 204)

/** The signed-in caller, or null on a public endpoint, which ignores a token. Throws 401 or 403. */
const admit = async (access: Access, request: FastifyRequest): Promise<SignedIn | null> => {
  if (access === 'PUBLIC') return null
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw new DomainError('UNAUTHENTICATED', 'Sign in to continue.')
  const user = await readAccessToken(token)
  // Set before the role is checked, so the log names the user even when the role is refused.
  request.signedIn = user
  const allowed =
    access === 'SIGNED_IN' || (typeof access === 'string' ? access === user.role : access.includes(user.role))
  if (!allowed) throw new DomainError('FORBIDDEN', forbiddenSentence(access))
  return user
}

const rolePlural = { DEVELOPER: 'developers', TESTER: 'testers', ADMIN: 'admins' } as const

const forbiddenSentence = (access: Access) => {
  const names = [access].flat().map(role => rolePlural[role as keyof typeof rolePlural])
  return `Only ${names.join(' and ')} can do this.`
}

const idempotencyKeyOf = (endpoint: Endpoint, request: FastifyRequest): string | null => {
  const key = request.headers['idempotency-key']
  if (!endpoint.idempotent || key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new DomainError('INVALID_INPUT', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  return key
}

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
  requestId: request.id,
  wantsEvents: (request.headers.accept ?? '').includes('text/event-stream'),
  lastEventId: headerOf(request, 'last-event-id'),
})

const headerOf = ({ headers }: FastifyRequest, name: string): string | null => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Signing in and reading lists go on while writes wait for a lock. */
const poolFor = ({ method, path }: Endpoint): PoolName => {
  if (path.startsWith('/auth/')) return 'sessions'
  return method === 'GET' ? 'reads' : 'writes'
}

/**
 * An upload's work in the database comes after its last byte, which may be minutes away, so its time is not counted from the
 * request.
 */
const workFor = (endpoint: Endpoint): Work =>
  endpoint.upload
    ? workOf(poolFor(endpoint), requestLimits)
    : requestWork(poolFor(endpoint), endpoint.report ? reportLimits : requestLimits)

type Limited = <T>(task: () => Promise<T>, replica?: Replica) => Promise<T>

/**
 * Runs tasks one after the other, each within the limits of a request. A read whose caller has gone is cancelled; a write that
 * has begun is finished, since the caller cannot know how far it got.
 */
const withinLimits = (endpoint: Endpoint, reply: FastifyReply): Limited => {
  let work: Work | undefined
  reply.raw.once('close', () => {
    if (work?.pool === 'reads' && !reply.raw.writableFinished) abandon(work)
  })
  return async (task, replica) => {
    const until = work?.until
    work = { ...workFor(endpoint), replica: replica?.pool }
    // A second try of the same read has only the time that the first one left.
    if (until !== undefined && !endpoint.streamed) work.until = until
    try {
      return await during(work, task)
    } finally {
      if (work.position !== undefined) reply.header(positionHeader, work.position)
    }
  }
}

/** A streamed answer may take long as a whole while its caller reads, but each piece of it may not. */
const inLimits = <T>(pieces: AsyncIterable<T>, limited: Limited): AsyncIterable<T> => {
  const iterator = pieces[Symbol.asyncIterator]()
  const next = () => limited(() => iterator.next())
  const end = async (): Promise<IteratorResult<T>> => (await iterator.return?.()) ?? { done: true, value: undefined }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

const fileInLimits = (file: FileReply, limited: Limited): FileReply =>
  typeof file.content === 'string' || file.content instanceof Uint8Array
    ? file
    : { ...file, content: inLimits(file.content, limited) }

type AnyHandler = (input: {
  params: unknown
  query: unknown
  body: unknown
  upload: unknown
  user: SignedIn | null
  caller: Caller
  idempotencyKey: string | null
}) => Promise<unknown>

/** Mounts a slice's endpoints; `table` names them in the API document. */
export const mount = <T extends Record<string, Endpoint>>(
  app: FastifyInstance,
  table: string,
  endpoints: T,
  handlers: Handlers<T>,
): void => {
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const handle = handlers[name] as AnyHandler
    const status = successOf(endpoint)
    app.mounted.push({ table, name, endpoint })
    const route: RouteOptions = {
      method: endpoint.method,
      url: apiBase + endpoint.path,
      config: { operation: `${table}.${name}` },
      schema: serializedBy(endpoint, status),
      onRequest: async (request, reply) => {
        // Sent with refusals too, because the page sets its clock by it.
        reply.header('x-server-time', clock.now())
        request.signedIn = await admit(endpoint.access, request)
        if (request.signedIn) await assertMayPass(endpoint, request.signedIn)
      },
      handler: async (request, reply) => {
        const input = {
          params: parse(endpoint.params, request.params, 'path'),
          query: parse(endpoint.query, request.query, 'query'),
          body: parse(endpoint.body, request.body, 'body'),
          upload: endpoint.upload && uploadOf(request, endpoint.upload),
          user: request.signedIn,
          caller: callerOf(request),
          idempotencyKey: idempotencyKeyOf(endpoint, request),
        }
        const limited = withinLimits(endpoint, reply)
        let from: Replica | undefined
        const result = await readWhereAllowed(endpoint, request, replica => {
          from = replica
          return limited(() => handle(input), replica)
        })
        if (endpoint.live && isLive(result)) return sendLive(reply, result)
        reply.code(status)
        const limitedThere: Limited = task => limited(task, from)
        if (endpoint.file)
          return sendFile(
            reply,
            endpoint.streamed ? fileInLimits(result as FileReply, limitedThere) : (result as FileReply),
          )
        if (endpoint.streamed) {
          const stream = Readable.from(inLimits(result as AsyncIterable<string>, limitedThere))
          return reply.type('application/json; charset=utf-8').send(stream)
        }
        const answer = endpoint.pageOf ? bodyWithLinks(endpoint, request, reply, result) : result
        const { signedIn } = request
        return endpoint.revalidated && signedIn ? sendIfChanged(request, reply, signedIn, answer) : answer
      },
    }
    if (endpoint.upload) takeUploads(app, route)
    else app.route(route)
  }
}

/** The serializer of a reply is compiled from its schema. Requests are parsed by the contract's schemas instead. */
const serializedBy = (endpoint: Endpoint, status: number) => {
  const answered = bodyOf(endpoint)
  return answered ? { response: { [status]: replySchema(answered) } } : {}
}

/** Once all endpoints are mounted: 405 with `Allow` for the methods that an address does not support (RFC 9110 §15.5.6). */
export const refuseOtherMethods = (app: FastifyInstance): void => {
  for (const [path, endpoints] of Map.groupBy(app.mounted, ({ endpoint }) => endpoint.path)) {
    takeOnly(
      app,
      path,
      endpoints.map(({ endpoint }) => endpoint.method),
    )
  }
}

export const takeOnly = (app: FastifyInstance, path: string, methods: readonly Method[]): void => {
  // Fastify answers HEAD wherever it answers GET.
  const taken: string[] = methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const allow = taken.join(', ')
  app.route({
    method: app.supportedMethods.filter(method => !taken.includes(method)),
    url: apiBase + path,
    // Refused before the body is read, since it does not matter what was sent.
    onRequest: async (_request, reply) => {
      reply.header('allow', allow)
      throw new DomainError('METHOD_NOT_ALLOWED', `This address accepts only ${allow}.`)
    },
    handler: () => undefined,
  })
}
