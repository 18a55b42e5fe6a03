/** The API document, generated from the contracts, at /api/v1/openapi.json, and a page to read it at /docs. */
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { apiBase } from '../../kit/server/http.ts'

export const mountDocument = async (app: FastifyInstance): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Fieldtest API',
        version: '1',
        description:
          'Money is whole cents (USD). Instants are ISO 8601 in UTC. Errors are `{ statusCode, code, message, fields?, requestId }`. ' +
          'Bare lists are keyset-paged by `limit` and `cursor`; the next page stands in the `Link` header.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
  })
  app.get(`${apiBase}/openapi.json`, { schema: { hide: true } }, () => app.swagger())
  let reader: Promise<FastifyInstance> | undefined
  app.get('/docs*', { schema: { hide: true } }, async (request, reply) => {
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
