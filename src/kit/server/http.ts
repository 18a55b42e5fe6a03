/**
 * Mounts the endpoint tables on Fastify: one route per endpoint, which authorizes the caller, parses the request, calls
 * the handler and serializes what the contract names. Refusals come in a fixed order: 401, 403, a malformed body, invalid
 * fields, then those of the use case.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { clock } from '../clock.ts'
import type { Access, Caller, Endpoint, Handlers, Page, SignedIn } from '../endpoint.ts'
import { DomainError } from '../errors.ts'
import { parse } from './input.ts'
import { addressOf } from './network.ts'
import { documentSchema, replySchema } from './replySchema.ts'
import { readAccessToken } from './session.ts'

export const apiBase = '/api/v1'

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | null
  }
}

/** The signed-in caller, or null on a public endpoint, which ignores a token. Throws 401 or 403. */
const admit = async (access: Access, request: FastifyRequest): Promise<SignedIn | null> => {
  if (access === 'PUBLIC') return null
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw new DomainError('UNAUTHENTICATED', 'Sign in to continue.')
  const user = await readAccessToken(token)
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

/** A Link header (RFC 8288) leads to the next page and keeps the caller's filters. */
const linkToNext = (request: FastifyRequest, reply: FastifyReply, cursor: string | null) => {
  if (cursor === null) return
  const [path, query] = request.url.split('?')
  const next = new URLSearchParams(query)
  next.set('cursor', cursor)
  reply.header('link', `<${path}?${next.toString()}>; rel="next"`)
}

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
  requestId: request.id,
})

type AnyHandler = (input: {
  params: unknown
  query: unknown
  body: unknown
  user: SignedIn | null
  caller: Caller
  idempotencyKey: string | null
}) => Promise<unknown>

/** Mounts a slice's endpoints; `tag` groups them in the API document. */
export const mount = <T extends Record<string, Endpoint>>(
  app: FastifyInstance,
  tag: string,
  table: T,
  handlers: Handlers<T>,
): void => {
  for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
    const handle = handlers[name] as AnyHandler
    const status = endpoint.status ?? (endpoint.reply || endpoint.pageOf ? 200 : 204)
    app.route({
      method: endpoint.method,
      url: apiBase + endpoint.path,
      schema: routeSchema(tag, endpoint, status),
      // The contract's schemas validate; Fastify's are for the document only.
      validatorCompiler: () => () => true,
      onRequest: async (request, reply) => {
        // Sent with refusals too: the page sets its clock by it.
        reply.header('x-server-time', clock.now())
        request.signedIn = await admit(endpoint.access, request)
      },
      handler: async (request, reply) => {
        const result = await handle({
          params: parse(endpoint.params, request.params, 'path'),
          query: parse(endpoint.query, request.query, 'query'),
          body: parse(endpoint.body, request.body, 'body'),
          user: request.signedIn,
          caller: callerOf(request),
          idempotencyKey: idempotencyKeyOf(endpoint, request),
        })
        reply.code(status)
        if (!endpoint.pageOf) return result
        const page = result as Page<unknown>
        linkToNext(request, reply, page.nextCursor)
        return page.items
      },
    })
  }
}

const routeSchema = (tag: string, endpoint: Endpoint, status: number) => {
  const reply = endpoint.pageOf ? z.array(endpoint.pageOf) : endpoint.reply
  return {
    tags: [tag],
    summary: endpoint.summary,
    description: `For: ${[endpoint.access].flat().join(', ')}.`,
    ...(endpoint.access !== 'PUBLIC' && { security: [{ bearer: [] }] }),
    ...(endpoint.params && { params: documentSchema(endpoint.params) }),
    ...(endpoint.query && { querystring: documentSchema(endpoint.query) }),
    ...(endpoint.body && { body: documentSchema(endpoint.body) }),
    ...(endpoint.idempotent && {
      headers: { type: 'object', properties: { 'idempotency-key': { type: 'string', maxLength: 255 } } },
    }),
    response: { [status]: reply ? replySchema(reply) : { type: 'null', description: 'Nothing' } },
  }
}
