/**
 * What this server reports to Prometheus (docs/operations.md): its own requests, pools and process, and what other parts of the
 * product add. No label names a user, and none has more values than there are names in the code.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { notFound } from '../errors.ts'
import { poolsInUse } from './sharing.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its name in the metrics: the table and the endpoint. */
    operation?: string
  }
}

/** Adds gauges to the registry; the function it returns is called once for each scrape. */
export type Gauges = (registry: Registry) => () => Promise<void>

type MetricsOptions = { token: string | undefined; production: boolean; gauges: readonly Gauges[] }

export const mountMetrics = (app: FastifyInstance, { token, production, gauges }: MetricsOptions): void => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countRequests(app, registry)
  countConnections(registry)
  const asked = gauges.map(gauge => gauge(registry))
  app.get('/metrics', { logLevel: 'silent', config: { operation: 'metrics' } }, async (request, reply) => {
    if (!mayRead(request, token, production)) throw notFound('Page')
    await Promise.all(asked.map(ask => ask()))
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/**
 * Lets in whoever knows the token. Without a token, and outside production, lets in requests from this machine that came without
 * a proxy. Everybody else gets 404.
 */
const mayRead = ({ headers, raw }: FastifyRequest, token: string | undefined, production: boolean): boolean => {
  if (token !== undefined) return timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`))
  const behindProxy = 'x-forwarded-for' in headers || 'forwarded' in headers
  return !production && !behindProxy && loopback.has(raw.socket.remoteAddress ?? '')
}

/** From the time of a cached list to the time at which a caller gives up. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Counts = { time: Histogram.Internal<'operation'>; byStatus: Map<number, Counter.Internal> }

/** Looks up the counters of an operation only once, so a request costs two additions. */
const countRequests = (app: FastifyInstance, registry: Registry) => {
  const requests = new Counter({
    name: 'fieldtest_http_requests_total',
    help: 'Answered requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const times = new Histogram({
    name: 'fieldtest_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['operation'],
    buckets: seconds,
    registers: [registry],
  })
  const known = new Map<string, Counts>()
  const countsOf = (operation: string) => {
    let counts = known.get(operation)
    if (!counts) known.set(operation, (counts = { time: times.labels(operation), byStatus: new Map() }))
    return counts
  }
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const operation = request.routeOptions.config.operation ?? (request.is404 ? 'unknown' : 'page')
    const { time, byStatus } = countsOf(operation)
    time.observe(elapsedTime / 1000)
    let count = byStatus.get(statusCode)
    if (!count) byStatus.set(statusCode, (count = requests.labels(operation, String(statusCode))))
    count.inc()
    done()
  })
}

type PoolInUse = ReturnType<typeof poolsInUse>[number]

const countConnections = (registry: Registry) => {
  const gauge = (name: string, help: string, valueOf: (pool: PoolInUse) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const pool of poolsInUse()) this.set({ pool: pool.name }, valueOf(pool))
      },
    })
  gauge('fieldtest_pool_connections_busy', 'Connections to PostgreSQL in use.', ({ busy }) => busy)
  gauge('fieldtest_pool_connections_max', 'How many connections the pool may have.', ({ max }) => max)
  gauge('fieldtest_pool_waiting', 'How much work is waiting for a connection.', ({ waiting }) => waiting)
}
