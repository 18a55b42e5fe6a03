/** The OpenTelemetry packages. Only tracing.ts imports this, and only if traces are wanted. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

export type Attributes = Record<string, string | number>
type Kind = 'request' | 'statement' | 'job'
export type Span = {
  /** In the form in which it is passed on (W3C Trace Context). */
  traceparent: string
  /** False for a trace that was not sampled, and after the span has ended. */
  readonly recording: boolean
  readonly ended: boolean
  end: (more: { failed?: string | undefined; attributes?: Attributes }) => void
}
/** `parent` is a traceparent; one that cannot be read counts as none. */
export type Tracing = {
  begin: (kind: Kind, name: string, parent: string | undefined, attributes: Attributes) => Span
  close: () => Promise<void>
}
export type TracingOptions = {
  /** A collector's OTLP/HTTP address, without /v1/traces. */
  endpoint: string
  service: string
  /** The share of traces that are sampled, from 0 to 1. */
  share: number
}

const kinds: Record<Kind, SpanKind> = {
  request: SpanKind.SERVER,
  statement: SpanKind.CLIENT,
  job: SpanKind.CONSUMER,
}

/** The most spans that wait for a slow or unreachable collector; further ones are dropped. */
const mostWaiting = 2_048
const sendEveryMs = 2_000
const sendWithinMs = 5_000
/** A server that stops does not wait longer for its collector. */
const farewellMs = 2_000

const contextOf = (traceparent: string | undefined) => {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags!, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

export const openTracing = ({ endpoint, service, share }: TracingOptions): Tracing => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: sendWithinMs })
  const waiting = new BatchSpanProcessor({
    exporter,
    maxQueueSize: mostWaiting,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: sendWithinMs,
  })
  // Decided by the trace's id: all servers decide alike, and a caller cannot have more than this share traced.
  const ratio = new TraceIdRatioBasedSampler(share)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [waiting],
  })
  const tracer = provider.getTracer('fieldtest')
  return {
    begin: (kind, name, parent, attributes) => {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      let ended = false
      return {
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
        get recording() {
          return span.isRecording()
        },
        get ended() {
          return ended
        },
        end: ({ failed, attributes: more }) => {
          ended = true
          if (more) span.setAttributes(more)
          if (failed !== undefined) span.setAttribute('error.type', failed).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise<void>(resolve => setTimeout(resolve, farewellMs).unref()),
      ]),
  }
}
