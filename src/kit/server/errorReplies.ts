/** Every error reply has one shape: `{ statusCode, code, message, fields?, requestId }` (product.md §5, spec §8). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type ErrorBody, type ErrorCode, errorStatus } from '../errors.ts'
import { isUnavailable } from './db.ts'
import { CallerGone } from './limits.ts'
import { OutcomeUnknown } from './lost.ts'
import { notAForm } from './uploads.ts'

const sentenceOfFramework: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The request body is too large: at most 1 MB.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'INVALID_INPUT', message: 'The Content-Length does not match the body.' },
  FST_ERR_BAD_URL: { code: 'INVALID_INPUT', message: 'The address is not a valid URL.' },
}

/** A caller who sent an idempotency key learns the outcome by sending the request again. */
const maybeDone =
  'The connection was lost while this was being saved, so it may or may not have taken effect. Check before you try again.'

/** What the caller is told about an error; a 5xx reveals nothing internal. */
const asDomainError = (error: unknown, takesFile: boolean): DomainError => {
  if (error instanceof DomainError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && takesFile) return notAForm()
  const known = code === undefined ? undefined : sentenceOfFramework[code]
  if (known) return new DomainError(known.code, known.message)
  if (statusCode === 429) return new DomainError('TOO_MANY_REQUESTS', 'Too many requests. Wait a moment and try again.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('INVALID_INPUT', 'The request could not be read.')
  }
  if (error instanceof OutcomeUnknown) return new DomainError('UNAVAILABLE', maybeDone, { retryAfterSeconds: 2 })
  if (isUnavailable(error) || error instanceof CallerGone) {
    return new DomainError('UNAVAILABLE', 'The service is busy or restarting. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
  return new DomainError(
    'INTERNAL',
    'Something went wrong on our side. Try again. If it keeps happening, send us the request ID.',
  )
}

/** Refusals that point to an attack when there are many. */
const logged = new Set([401, 403, 429])

/** Who was refused what: the route's pattern, and no value that was sent. */
const refusalOf = (request: FastifyRequest, { code }: DomainError) => ({
  code,
  userId: request.signedIn?.id ?? null,
  endpoint: `${request.method} ${request.routeOptions?.url ?? '(no route)'}`,
})

const send = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refusal = asDomainError(error, request.routeOptions?.config?.upload === true)
  const statusCode = errorStatus[refusal.code]
  if (error instanceof CallerGone) request.log.info('the caller has gone')
  else if (statusCode >= 500) request.log.error({ err: error }, 'request failed')
  if (logged.has(statusCode)) request.log.info(refusalOf(request, refusal), 'refused')
  const body: ErrorBody = {
    statusCode,
    code: refusal.code,
    message: refusal.message,
    ...(refusal.fields && { fields: refusal.fields }),
    ...refusal.factorRequest,
    requestId: refusal.requestId ?? request.id,
  }
  // An undecodable URL is refused before any hook runs.
  reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfterSeconds))
  if (statusCode === 401) reply.header('www-authenticate', 'Bearer')
  // Serialized here, because a route's reply schema is for success.
  return reply.code(statusCode).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

export const mountErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => send(error, request, reply))
}

export const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  send(new DomainError('NOT_FOUND', 'There is nothing at this address.'), request, reply)

/** Replies about an address that the router cannot read. No hook runs then, and the framework logs only that the request came. */
export const sendFrameworkError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  reply.raw.once('finish', () => request.log.info({ res: reply }, 'request completed'))
  return send(error, request, reply)
}
