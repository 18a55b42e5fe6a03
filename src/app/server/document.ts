/** The API document, generated from the contracts, at /api/v1/openapi.json, and a page to read it at /docs. */
import Fastify, { type FastifyInstance } from 'fastify'
import { apiBase } from '../../kit/server/http.ts'
import type { Env } from './env.ts'
import { apiDocument } from './openapi/document.ts'

export const mountDocument = (app: FastifyInstance, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): void => {
  // Made when it is first asked for: then everything is mounted.
  let document: string | undefined
  app.get(`${apiBase}/openapi.json`, (_request, reply) => {
    document ??= JSON.stringify(apiDocument(app.mounted, PUBLIC_URL))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  let reader: Promise<FastifyInstance> | undefined
  app.get('/docs*', async (request, reply) => {
    const answer = await (await (reader ??= openReader())).inject({ method: 'GET', url: request.url })
    return reply
      .code(answer.statusCode)
      .type(answer.headers['content-type'] ?? 'text/plain')
      .header('content-security-policy', readerPolicy)
      .headers(answer.headers.location === undefined ? {} : { location: answer.headers.location })
      .send(answer.rawPayload)
  })
}

/** The reader inlines its styles and start-up script; only this route allows that. */
const readerPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors 'none'"

/** An application of its own, loaded on first use: its script alone takes 20 MB of memory. */
const openReader = async (): Promise<FastifyInstance> => {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const reader = Fastify()
  const configuration = {
    url: `${apiBase}/openapi.json`,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
  }
  await reader.register(reference, { routePrefix: '/docs', configuration })
  return reader
}
