/** Limits for callers who send slowly: headers have 10 seconds, a JSON body has 15, and an upload has to keep a pace. */
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../errors.ts'

const headersMs = 10_000
const jsonBodyMs = 15_000
/** For uploads: free at first, then this pace on average, and never longer than this. */
const uploads = { freeMs: 15_000, bytesPerSecond: 32_000, longestMs: 30 * 60_000 }
/** How often Node checks its own limits; its default is 30 seconds. */
const checkEveryMs = 1_000

const tooSlow = () => new DomainError('REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.')

/** Whether an upload that has sent this many bytes in this many milliseconds is too slow to go on. */
const isTooSlow = (bytes: number, ms: number): boolean =>
  ms > uploads.longestMs || bytes < ((ms - uploads.freeMs) / 1000) * uploads.bytesPerSecond

/** Checks the pace of an upload every second until the returned function is called. */
export const watchPace = (bytesSoFar: () => number, refuse: (refusal: DomainError) => void): (() => void) => {
  const begun = performance.now()
  const timer = setInterval(() => {
    if (isTooSlow(bytesSoFar(), performance.now() - begun)) refuse(tooSlow())
  }, checkEveryMs).unref()
  return () => clearInterval(timer)
}

/** For Fastify's `http`. Node's limit for a whole request is off, because bodies have timers that depend on the route. */
export const headerLimits = {
  headersTimeout: headersMs,
  requestTimeout: 0,
  connectionsCheckingInterval: checkEveryMs,
}

/** Refuses with 408 a body that takes too long, and reads nothing after it. */
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
  // Otherwise a caller whose request was refused before its body was read could go on sending forever.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.destroy(), jsonBodyMs).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
