/** A real collector receives what OTLP/HTTP specifies. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { inTraceOf, startTracing } from '../../kit/server/tracing.ts'
import { campaignInput, device, liveCampaign, type TestApp } from '../../testing/app.ts'
import { startTestApp } from '../../testing/start.ts'
import type { Campaign } from '../../campaigns/contract.ts'

type Value = { stringValue?: string; intValue?: number | string }
type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Value }[]
}
type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Accepts spans; while `stuck`, it does not answer. */
const startCollector = async () => {
  const spans: SentSpan[] = []
  const texts: string[] = []
  const collector = { spans, texts, address: '', stuck: false, release: () => undefined as void }
  const held: ServerResponse[] = []
  const server = createServer((request, reply) => {
    void json(request).then(sent => {
      expect(request.url).toBe('/v1/traces')
      texts.push(JSON.stringify(sent))
      for (const { scopeSpans } of (sent as Sent).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      if (collector.stuck) held.push(reply)
      else reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  collector.address = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  collector.release = () => {
    collector.stuck = false
    for (const reply of held.splice(0)) reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return collector
}

const started = async (endpoint: string, more: Record<string, string> = {}): Promise<TestApp> => {
  const t = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more })
  let stopping: Promise<void> | undefined
  const { stop } = t
  t.stop = () => (stopping ??= stop())
  ends.push(() => t.stop())
  return t
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const cause = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }

/** Creates a campaign, pays for it and cancels it, which a job refunds. */
const cancelled = async (t: TestApp, headers: Record<string, string>) => {
  const developer = await t.signUp('DEVELOPER')
  const { body } = await developer.call<Campaign>('POST', '/campaigns', campaignInput)
  await developer.call('POST', `/campaigns/${body.id}/fund`, { amountCents: body.totalCostCents })
  const { status } = await t.call('POST', `/campaigns/${body.id}/cancel`, { token: developer.accessToken, headers })
  expect(status).toBe(200)
  await t.advance(1)
  return { developer, campaign: body }
}

describe('traces', () => {
  test('one click makes one trace: the request in its caller’s trace, its statements, and the job that it caused', async () => {
    const { spans, address } = await startCollector()
    const t = await started(address)
    await cancelled(t, cause)
    await t.stop()
    const trace = spans.filter(span => span.traceId === traceId)
    const request = trace.find(({ name }) => name === 'campaigns.cancel')
    expect(request?.parentSpanId).toBe('00f067aa0ba902b7')
    const below = (parent: SentSpan) => trace.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    const names = below(request!).map(({ name }) => name)
    expect(names).toContain('begin')
    expect(names).toContain('commit')
    expect(names.some(name => /^(select|update|with) /.test(name))).toBe(true)
    const job = below(request!).find(({ name }) => name === 'ledger.pay-refund')
    expect(below(job!).map(({ name }) => name)).toContain('select refund_parts')
    // Also the job that this job enqueued.
    const part = below(job!).find(({ name }) => name === 'ledger.pay-refund-part')
    expect(below(part!).map(({ name }) => name)).toContain('commit')
    const others = spans.filter(span => span.traceId !== traceId)
    expect(others.some(({ name }) => name === 'campaigns.cancel')).toBe(false)
  })

  test('joins that share a statement each have it in their own trace', async () => {
    const { spans, address } = await startCollector()
    const t = await started(address)
    const [developer, admin] = [await t.signUp('DEVELOPER'), await t.signUp('ADMIN')]
    const live = await Promise.all(Array.from({ length: 8 }, () => liveCampaign(developer, admin)))
    const testers = await Promise.all(live.map(() => t.signUp('TESTER')))
    const traceOf = (at: number) => `4bf92f3577b34da6a3ce929d0e0e47${String(at + 10)}`
    const body = { deviceInfo: device }
    await Promise.all(
      testers.map(({ accessToken: token }, at) =>
        t.call('POST', `/testers/campaigns/${live[at]!.id}/join`, {
          token,
          body,
          headers: { traceparent: `00-${traceOf(at)}-00f067aa0ba902b7-01` },
        }),
      ),
    )
    await t.stop()
    for (const at of live.keys()) {
      const trace = spans.filter(span => span.traceId === traceOf(at))
      const request = trace.find(({ name }) => name === 'participations.join')
      const below = trace.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
      expect(below.map(({ name }) => name)).toEqual([expect.stringMatching(/^with /)])
    }
  })

  test('contain nothing about a user: no address, token, id or amount', async () => {
    const { texts, address } = await startCollector()
    const t = await started(address)
    const { developer, campaign } = await cancelled(t, cause)
    // Sends an address, a password and a search that must not appear.
    await t.call('POST', '/auth/login', { body: { email: developer.user.email, password: 'not the password' } })
    await t.call('GET', `/campaigns/${campaign.id}?search=secret-words`, { token: developer.accessToken })
    await t.stop()
    const all = texts.join('\n')
    expect(all).toContain('accounts.login')
    const { email, name, id } = developer.user
    for (const theirs of [email, name, id, campaign.id, developer.accessToken, 'secret-words', 'not the password'])
      expect(all).not.toContain(theirs)
  })

  test('a job that a tracing server enqueued runs on one that does not trace, with the data that it expects', async () => {
    const { address } = await startCollector()
    const t = await started(address)
    const developer = await t.signUp('DEVELOPER')
    const { body } = await developer.call<Campaign>('POST', '/campaigns', campaignInput)
    await developer.call('POST', `/campaigns/${body.id}/fund`, { amountCents: body.totalCostCents })
    await developer.call('POST', `/campaigns/${body.id}/cancel`)
    const waiting = await t.look<{ data: object }>(`select data from pgboss.job where name = 'ledger.pay-refund-part'`)
    expect(waiting.every(({ data }) => 'traceparent' in data)).toBe(true)
    // Turns off tracing in this process.
    await (
      await startTracing({ endpoint: address, service: 'other', share: 1 })
    )()
    await t.advance(1)
    expect(await t.look(`select from refund_parts where status <> 'COMPLETED'`)).toEqual([])
    const given: unknown[] = []
    for (const data of [{ id: 'one', ...cause }, { id: 'two' }, null])
      await inTraceOf('queue', data, async input => {
        given.push(input)
      })
    expect(given).toEqual([{ id: 'one' }, { id: 'two' }, null])
  })

  test('with a share of 0 nothing is sent, and a caller cannot ask for more', async () => {
    const { spans, address } = await startCollector()
    const t = await started(address, { OTEL_TRACES_SAMPLER_ARG: '0' })
    await cancelled(t, cause)
    await t.stop()
    expect(spans).toEqual([])
  })

  test('a collector that does not answer delays nobody, and no more than 2,048 spans wait for it', async () => {
    const collector = await startCollector()
    collector.stuck = true
    const t = await started(collector.address)
    for (let i = 0; i < 60; i++) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => t.call('GET', '/pricing')))
      expect(replies.every(({ status }) => status === 200)).toBe(true)
    }
    await expect.poll(() => collector.texts.length, { timeout: 20_000 }).toBeGreaterThan(0)
    // Spans that were sent and not answered are given up or sent again.
    collector.spans.length = 0
    collector.release()
    await t.stop()
    // Those that waited, and one batch that was under way.
    expect(collector.spans.length).toBeLessThanOrEqual(2_048 + 512)
  })

  test('without a collector, no package of OpenTelemetry is loaded', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ resolve: (name, context, next) => { const found = next(name, context); loaded.push(found.url); return found } })
      await import('./src/app/server/app.ts'); await import('./src/app/server/boot.ts')
      const ours = loaded.filter(url => url.endsWith('/src/kit/server/tracing.ts')).length
      const theirs = loaded.filter(url => /@opentelemetry\\/(sdk|exporter|resources|otlp)|openTelemetry\\.ts/.test(url))
      console.log(JSON.stringify({ ours: ours > 0, theirs }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(JSON.parse(stdout)).toEqual({ ours: true, theirs: [] })
  })
})
