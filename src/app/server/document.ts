/** The API document, made from the contract: /api/v1/openapi.json, and a page to read it at /docs. */
import swagger from '@fastify/swagger'
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { apiBase } from './http.ts'

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
  await app.register(async docs => {
    // The reader writes its styles and its start into the page; only this route allows that.
    docs.addHook('onSend', async (_request, reply) => {
      reply.header(
        'content-security-policy',
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
          "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors 'none'",
      )
    })
    await docs.register(reference, {
      routePrefix: '/docs',
      configuration: { url: `${apiBase}/openapi.json`, withDefaultFonts: false, telemetry: false, hideClientButton: true },
    })
  })
}
