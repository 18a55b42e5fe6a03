/** Callers who send slowly: a request's headers have 10 seconds, a JSON body has 15, and an upload keeps a pace. */
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../errors.ts'

const headersMs = 10_000
const jsonBodyMs = 15_000
/** Of an upload: free at first, then this pace on average, and never longer than this. */
const uploads = { freeMs: 15_000, bytesPerSecond: 32_000, longestMs: 30 * 60_000 }
/** Node looks at its own limits this often; its default is 30 seconds. */
const checkEveryMs = 1_000

const tooSlow = () => new DomainError('REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.')

/** Whether an upload that has brought so many bytes in so many milliseconds is too slow to go on. */
const isTooSlow = (bytes: number, ms: number): boolean =>
  ms > uploads.longestMs || bytes < ((ms - uploads.freeMs) / 1000) * uploads.bytesPerSecond

/** Looks at the pace of an upload every second until the returned function is called. */
export const watchPace = (bytesSoFar: () => number, refuse: (refusal: DomainError) => void): (() => void) => {
  const begun = performance.now()
  const timer = setInterval(() => {
    if (isTooSlow(bytesSoFar(), performance.now() - begun)) refuse(tooSlow())
  }, checkEveryMs).unref()
  return () => clearInterval(timer)
}

/** For Fastify's `http`. Node's limit for a whole request is off: bodies have a timer for each route. */
export const headerLimits = {
  headersTimeout: headersMs,
  requestTimeout: 0,
  connectionsCheckingInterval: checkEveryMs,
}

/** Refuses a body that takes too long with 408; what comes after it is not read any more. */
export const mountBodyLimit = (app: FastifyInstance): void => {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw } = request
    // Uploads have a limit of their own (uploads.ts).
    if (
      request.routeOptions.config.upload === true ||
      raw.complete ||
      (raw.headers['content-length'] === undefined && !raw.headers['transfer-encoding'])
    )
      return done(null, payload)
    const timer = setTimeout(() => {
      reply.header('connection', 'close')
      payload.emit('error', tooSlow())
    }, jsonBodyMs)
    for (const event of ['end', 'close', 'error']) payload.once(event, () => clearTimeout(timer))
    return done(null, payload)
  })
  // A request refused before its body was read would otherwise go on sending for ever.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.destroy(), jsonBodyMs).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
