/**
 * Traces (OpenTelemetry), if OTEL_EXPORTER_OTLP_ENDPOINT is set: a request, its statements, and the jobs that it causes on any
 * server form one trace. Otherwise nothing is loaded for it, and a statement costs one comparison (decision 048). A trace
 * contains nothing about users: no parameter, no address, no error text.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
// Types only: `startTracing` imports the module at run time.
import type { Attributes, Span, Tracing, TracingOptions } from './openTelemetry.ts'

let tracing: Tracing | undefined
const current = new AsyncLocalStorage<Span>()

/** Resolves with the function that sends the remaining spans and ends tracing. */
export const startTracing = async (options: TracingOptions): Promise<() => Promise<void>> => {
  const { openTracing } = await import('./openTelemetry.ts')
  const opened = openTracing(options)
  tracing = opened
  return async () => {
    tracing = undefined
    await opened.close()
  }
}

const spans = new WeakMap<FastifyRequest, Span>()

const within = <T>(request: FastifyRequest, task: () => T): T => {
  const span = spans.get(request)
  return span ? current.run(span, task) : task()
}

/** Call it before the routes are mounted, and after `startTracing`. */
export const mountTracing = (app: FastifyInstance): void => {
  if (!tracing) return
  app.addHook('onRequest', (request, _reply, done) => {
    const operation = request.routeOptions.config.operation
    const { method } = request
    const given = request.headers.traceparent
    const span = tracing?.begin(
      'request',
      operation ?? (request.is404 ? 'unknown' : 'page'),
      typeof given === 'string' ? given : undefined,
      {
        'http.request.method': method,
        ...(operation !== undefined && { 'http.route': request.routeOptions.url ?? '' }),
      },
    )
    if (span) spans.set(request, span)
    done()
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    spans.get(request)?.end({
      failed: statusCode >= 500 ? String(statusCode) : undefined,
      attributes: { 'http.response.status_code': statusCode, 'fieldtest.request_id': request.id },
    })
    done()
  })
  // Hooks and handlers of a route are called from different places, so each enters the span of its request.
  app.addHook('onRoute', route => {
    const { handler, onRequest } = route
    route.handler = function (request, reply) {
      return within(request, () => handler.call(this, request, reply))
    }
    if (typeof onRequest !== 'function' || onRequest.length > 2) return
    const ask = onRequest as (request: FastifyRequest, reply: unknown) => Promise<unknown>
    route.onRequest = async (request, reply) => within(request, () => ask(request, reply))
  })
}

/** The kind of failure, as PostgreSQL's code or our error's name; error texts may contain what users wrote. */
const kindOf = (error: unknown): string =>
  error instanceof Error ? String('code' in error ? error.code : error.name) : 'unknown'

type Query = string | { text: string; values?: unknown[] | undefined }

/** A name such as `select campaigns`, and the statement's text if its values are separate from it. */
const named = (query: Query): [name: string, attributes: Attributes] => {
  const { text, values } = typeof query === 'string' ? { text: query, values: undefined } : query
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+([a-z_][\w.]*)|^\s*select\s+([a-z_]\w*)\(/i.exec(text)?.slice(1).find(Boolean)
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': verb }
  if (!values?.length) return [verb, attributes]
  return [table ? `${verb} ${table}` : verb, { ...attributes, 'db.query.text': text.slice(0, 2_000) }]
}

/** Begins the span of a statement; the returned function ends it. Undefined if nothing is traced. */
export const traceStatement = (query: Query): ((error?: unknown) => void) | undefined => {
  const parent = tracing && current.getStore()
  if (!parent?.recording) return undefined
  const span = tracing?.begin('statement', ...withParent(named(query), parent))
  return error => span?.end({ failed: error === undefined ? undefined : kindOf(error) })
}

const withParent = ([name, attributes]: [string, Attributes], parent: Span): [string, string, Attributes] => [
  name,
  parent.traceparent,
  attributes,
]

const field = 'traceparent'

/** A job's input, with the trace that caused it. */
export const carryingTrace = <Data extends object>(data: Data): Data => {
  const cause = tracing && current.getStore()
  // Work that outlives the request that started it, such as a timer, is no longer caused by it.
  return cause && !cause.ended ? { ...data, [field]: cause.traceparent } : data
}

/**
 * Runs a job in the trace that caused it. The trace is removed from the input, into which another server that traces may have put
 * it.
 */
export const inTraceOf = async (
  queue: string,
  data: object | null,
  run: (input: object | null) => Promise<void>,
): Promise<void> => {
  const { [field]: cause, ...input } = (data ?? {}) as Record<string, unknown>
  const given = cause === undefined ? data : input
  if (!tracing) return run(given)
  const parent = typeof cause === 'string' ? cause : undefined
  const span = tracing.begin('job', queue, parent, { 'messaging.destination.name': queue })
  try {
    await current.run(span, () => run(given))
    span.end({})
  } catch (error) {
    span.end({ failed: kindOf(error) })
    throw error
  }
}
