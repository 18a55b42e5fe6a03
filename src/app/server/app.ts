/** The HTTP application: headers, limits, logs, errors, health and API. The caller makes it listen. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { answers } from '../../kit/server/db.ts'
import { mountDocument } from './document.ts'
import type { Env } from './env.ts'
import { mountHeaders } from './headers.ts'
import { mountErrors, sendFrameworkError, sendNotFound } from '../../kit/server/errorReplies.ts'
import { mountDraining } from '../../kit/server/draining.ts'
import { mountMetrics } from '../../kit/server/metrics.ts'
import { replicaGauges } from '../../kit/server/replicaGauges.ts'
import { streamGauge } from '../../events/server/gauge.ts'
import { operationGauges } from '../../operations/server/gauges.ts'
import { hostile } from '../../kit/server/input.ts'
import { headerLimits, mountBodyLimit } from '../../kit/server/slowCallers.ts'
import { apiBase } from '../../kit/server/http.ts'
import { addressOf, networkOf } from '../../kit/server/network.ts'
import { compileSerializer } from '../../kit/server/replySchema.ts'
import { shareCounts } from '../../kit/server/requestCounts.ts'
import { mountTracing } from '../../kit/server/tracing.ts'
import { hostOptions, mountUnusual, refuseEncoded, refuseUnreadable } from '../../kit/server/unreadable.ts'
import { routedUrl } from './routedUrl.ts'
import { mountRoutes } from './routes.ts'
import { mountSecurityTxt } from './securityTxt.ts'

const maxBodyBytes = 1_048_576
/** Per address; a page load is about 20 requests, a busy office a few hundred a minute. */
export const requestsPerMinute = 1200

type AppOptions = Pick<
  Env,
  | 'RATE_LIMIT'
  | 'REGISTRATIONS_PER_HOUR'
  | 'TRUST_PROXY'
  | 'LOG_LEVEL'
  | 'FIELDTEST_TEST_CLOCK'
  | 'PUBLIC_URL'
  | 'SECURITY_CONTACT'
  | 'METRICS_TOKEN'
  | 'production'
>

export const createApp = async (env: AppOptions): Promise<FastifyInstance> => {
  const app: FastifyInstance = Fastify({
    logger: {
      level: env.LOG_LEVEL,
      // No secret or token is logged: neither bodies nor these headers.
      redact: ['req.headers.authorization', 'req.headers.cookie', 'req.headers["idempotency-key"]'],
      serializers: { req: logged },
    },
    bodyLimit: maxBodyBytes,
    // Behind one proxy, the address that the proxy saw comes last; the entries before it come from the caller and are not
    // trusted.
    trustProxy: env.TRUST_PROXY ? (_address, hop) => hop === 0 : false,
    genReqId: () => randomUUID(),
    requestTimeout: headerLimits.requestTimeout,
    http: { ...headerLimits, ...hostOptions },
    rewriteUrl: routedUrl,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: sendFrameworkError,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseUnreadable(app.log, error, socket),
  })
  app.setSerializerCompiler(compileSerializer)
  app.decorateRequest('signedIn', null)
  app.decorate('mounted', [])
  mountTracing(app)
  mountHeaders(app, env.PUBLIC_URL)
  readJsonBodies(app)
  mountErrors(app)
  mountUnusual(app)
  refuseEncoded(app)
  mountBodyLimit(app)
  mountDraining(app)
  mountMetrics(app, {
    token: env.METRICS_TOKEN,
    production: env.production,
    gauges: [operationGauges, streamGauge, replicaGauges],
  })
  if (env.RATE_LIMIT) {
    await app.register(rateLimit, {
      max: requestsPerMinute,
      timeWindow: '1 minute',
      keyGenerator: networkOfCaller,
      allowList: isFree,
      store: shareCounts(app, requestsPerMinute),
    })
  }
  await mountDocument(app, env)
  mountHealth(app)
  mountSecurityTxt(app, env)
  await mountRoutes(app, env)
  app.all(`${apiBase}/*`, (request, reply) => sendNotFound(request, reply))
  return app
}

/**
 * Page files: a first visit loads a hundred of them, often for many people on one network, and none needs the database. Health:
 * probes from a busy caller's network must not take the server for dead, and simultaneous probes share one query.
 */
const isFree = ({ url }: FastifyRequest) => url.startsWith('/assets/') || url.startsWith('/health/')

const networkOfCaller = (request: FastifyRequest) => networkOf(addressOf(request))

/**
 * Without the query, which may contain a search or a token. If a request cannot be parsed, its method and address may be unknown.
 */
const logged = (request: Pick<FastifyRequest, 'id' | 'ip' | 'socket'> & { method?: string; url?: string }) => ({
  method: request.method,
  url: request.url?.split('?')[0],
  ip: addressOf(request),
  id: request.id,
})

/** JSON only. An empty body counts as none, so `POST …/start` needs no body. */
const readJsonBodies = (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined)
    // Decoding it anyway would store replacement characters.
    if (!isUtf8(body)) return done(hostile('text'))
    try {
      return done(null, JSON.parse(body.toString()))
    } catch {
      return done(Object.assign(new Error('not JSON'), { statusCode: 400, code: 'FST_ERR_CTP_INVALID_JSON_BODY' }))
    }
  })
}

const mountHealth = (app: FastifyInstance) => {
  app.get('/health/live', { logLevel: 'silent' }, () => ({ status: 'ok' }))
  app.get('/health/ready', { logLevel: 'silent' }, async (_request, reply) => {
    const ready = !app.isDraining() && (await answers())
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' })
  })
}
