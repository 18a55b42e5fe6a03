/** The API document, generated from the contracts, at /api/v1/openapi.json, and a page to read it at /docs. */
import { mkdir } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { apiBase, takeOnly } from '../../kit/server/http.ts'
import { type Encoded, encoded, encodingFor } from '../../kit/server/encodings.ts'
import { docsPage, pagePolicy } from './docs/page.ts'
import { scriptFolder, scriptName } from './docs/script.ts'
import type { Env } from './env.ts'
import { apiDocument } from './openapi/document.ts'

/** The first request waits for it: the best quality takes seconds for a page of this size. */
const brotliQuality = 9

export const mountDocument = async (app: FastifyInstance, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): Promise<void> => {
  // Made on the first request, when every route is mounted.
  let document: string | undefined
  const documentText = () => (document ??= JSON.stringify(apiDocument(app.mounted, PUBLIC_URL)))
  app.get(`${apiBase}/openapi.json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(documentText()),
  )
  takeOnly(app, '/openapi.json', ['GET'])
  await mkdir(scriptFolder, { recursive: true }).catch((cause: unknown) => {
    throw new Error(
      `${scriptFolder} is missing and cannot be created. Run \`npm run build\` before you start the server.`,
      {
        cause,
      },
    )
  })
  await app.register(fastifyStatic, {
    root: scriptFolder,
    prefix: '/docs/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'deny',
    decorateReply: false,
    setHeaders: reply => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      // The page that loads it has no origin, so nothing is same-origin to it.
      reply.header('cross-origin-resource-policy', 'cross-origin')
    },
  })
  let page: Promise<Encoded> | undefined
  app.get('/docs', async (request, reply) => {
    page ??= scriptName()
      .then(script => encoded(docsPage(documentText(), script), brotliQuality))
      .catch((error: unknown) => {
        page = undefined
        throw error
      })
    const bodies = await page
    const encoding = encodingFor(request)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    // A page without an origin cannot have a process for its origin, and Chromium would complain in the console.
    reply.removeHeader('origin-agent-cluster')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .send(bodies[encoding])
  })
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 301))
}
