/** Refuses what Node cannot read as a request in the usual form of errors, although there is no request yet (product.md §5). */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type ErrorBody, type ErrorCode, DomainError } from '../errors.ts'

type Refused = { statusCode: number; code: ErrorCode; message: string }

const refusals: Partial<Record<string, Refused>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    statusCode: 408,
    code: 'REQUEST_TIMEOUT',
    message: 'The request took too long to arrive. Send it again.',
  },
  HPE_HEADER_OVERFLOW: {
    statusCode: 431,
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The headers of the request are too large: at most 16 kB.',
  },
  HPE_INVALID_METHOD: { statusCode: 400, code: 'INVALID_INPUT', message: 'There is no such HTTP method.' },
}
/** Node's own handler reads this field as well; unreadable.test.ts checks that it works as we expect. */
type Answering = Socket & { _httpMessage?: { headersSent: boolean; req: IncomingMessage } | null }
/** For bytes that are no request: the last packet, and how many of its bytes were parsed. */
type Unreadable = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number }
type RequestLine = { method?: string | undefined; url?: string | undefined }

const unreadable: Refused = { statusCode: 400, code: 'INVALID_INPUT', message: 'The request could not be read.' }

/** For Fastify's `clientErrorHandler`. */
export const refuseUnreadable = (log: FastifyBaseLogger, error: Unreadable, socket: Socket): void => {
  // The caller has gone.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error)
  // If an answer is under way, ours would end up in the middle of it.
  if ((socket as Answering)._httpMessage?.headersSent) return void socket.destroy(error)
  const refused = refusals[error.code ?? ''] ?? unreadable
  logRefused(log, socket, refused, answer(socket, refused), requestLineOf(error, socket))
  socket.destroy(error)
}

/** Before a request can be read from it. The caller closes the connection. */
export const refuseConnection = (
  log: FastifyBaseLogger,
  socket: Socket,
  refused: Refused,
  more: Record<string, string>,
): void => logRefused(log, socket, refused, answer(socket, refused, more), {})

/** Only where it is certain: other bytes may be of a body. */
const requestLineOf = ({ rawPacket, bytesParsed }: Unreadable, socket: Socket): RequestLine => {
  const underWay = (socket as Answering)._httpMessage?.req
  if (underWay && !underWay.complete) return underWay
  // These are not the first bytes of their connection.
  if (!Buffer.isBuffer(rawPacket) || rawPacket.length !== socket.bytesRead) return {}
  // These bytes come after the headers of the first request.
  if (/\n\r?\n/.test(rawPacket.toString('latin1', 0, bytesParsed))) return {}
  const [, method, url] = /^([A-Z]{1,20}) (\/[^\s?#]*)/.exec(rawPacket.toString('latin1', 0, 1000)) ?? []
  return { method, url }
}

const longestUrl = 120

/** Logged like other requests, but in one line instead of two, because nothing limits how many of these callers send. */
const logRefused = (
  log: FastifyBaseLogger,
  socket: Socket,
  { statusCode, code }: Refused,
  id: string,
  { method, url }: RequestLine,
) => {
  const req = { id, method, url: url?.split('?')[0]!.slice(0, longestUrl), ip: socket.remoteAddress ?? '', socket }
  log.info({ reqId: id, req, res: { statusCode }, code }, 'request completed')
}

/** Returns the request's id. */
const answer = (socket: Socket, refused: Refused, more: Record<string, string> = {}): string => {
  const requestId = randomUUID()
  const body = JSON.stringify({ ...refused, requestId } satisfies ErrorBody)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...more,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    `HTTP/1.1 ${refused.statusCode} ${STATUS_CODES[refused.statusCode]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  )
  return requestId
}

const noProxy: Refused = {
  statusCode: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'This server is not a proxy and does not accept CONNECT.',
}

/** For Fastify's `http`: otherwise Node answers itself, without a body. */
export const hostOptions = { requireHostHeader: false }

/** Handles what Node would answer itself without a body, or not at all. */
export const mountUnusual = (app: FastifyInstance): void => {
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => undefined)
    // The caller would take our answer for that to the request before.
    if ((socket as Answering)._httpMessage) return void socket.destroy()
    // A 405 has to name the allowed methods, and for a tunnel there are none (RFC 9110, 15.5.6).
    logRefused(app.log, socket, noProxy, answer(socket, noProxy, { allow: '' }), request)
    socket.destroySoon()
  })
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, reply, done) => {
    if (headers.host !== undefined || httpVersion !== '1.1') return done()
    reply.header('connection', 'close')
    return done(new DomainError('INVALID_INPUT', 'The request has no Host header.'))
  })
}

const plain = /^"?(utf-?8|us-ascii)"?$/i
/**
 * Only JSON is checked: files may contain any bytes, and forms from other sites, such as one-click unsubscribing, are ASCII
 * whatever they declare.
 */
const isJson = /^\s*application\/json\s*(;|$)/i
const charsetOf = (contentType: string) =>
  /^[^;"]*(?:;[^;"]*)*?;\s*charset\s*=\s*([^;]*)/i.exec(contentType)?.[1]?.trim()

/** If read as plain UTF-8, a compressed body would seem broken, and letters in another charset would be misread. */
export const refuseEncoded = (app: FastifyInstance): void => {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    if (!Number(headers['content-length']) && headers['transfer-encoding'] === undefined) return done(null, payload)
    const encoding = headers['content-encoding']?.trim().toLowerCase()
    if (encoding !== undefined && encoding !== '' && encoding !== 'identity')
      return done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.'))
    const type = headers['content-type'] ?? ''
    const charset = isJson.test(type) ? charsetOf(type) : undefined
    if (charset !== undefined && !plain.test(charset))
      return done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8.'))
    return done(null, payload)
  })
}
