/**
 * The landing page, completed with what only the running server knows: its public address, for search engines and link
 * previews; without PUBLIC_URL, the requested address.
 */
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { htmlDocument } from './htmlDocument.ts'

/** Only the public address is canonical; without it, none is named. */
const addresses = (publicOrigin: string, origin: string) =>
  [
    ...(publicOrigin ? [`<link rel="canonical" href="${publicOrigin}/">`] : []),
    ...(origin ? [`<meta property="og:url" content="${origin}/">`] : []),
    `<meta property="og:image" content="${origin}/og.png">`,
  ].join('\n    ')

const fill = (html: string, publicOrigin: string, origin: string) =>
  html
    .replace('<!--addresses-->', () => addresses(publicOrigin, origin))
    .replaceAll('{address}', () => encodeURIComponent(publicOrigin))

const origins = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/** The requested origin, or '' if it is not valid: the Host header is untrusted. */
const askedOrigin = (request: FastifyRequest) => {
  const asked = `${request.protocol}://${request.host}`.toLowerCase()
  return asked.length <= 200 && origins.test(asked) ? asked : ''
}

export const mountFrontPage = (app: FastifyInstance, built: string, env: { PUBLIC_URL?: string | undefined }): void => {
  const publicOrigin = env.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  const originOf = (request: FastifyRequest) => publicOrigin || askedOrigin(request)
  const sendLanding = htmlDocument(join(built, 'landing.html'), {
    fill: (html, origin) => fill(html, publicOrigin, origin),
    variantOf: originOf,
  })
  app.get('/', sendLanding)
  for (const file of ['/landing.html', '/index.html']) app.get(file, (_request, reply) => reply.redirect('/', 301))
  mountForRobots(app, originOf)
}

/** Both contain absolute URLs. */
const mountForRobots = (app: FastifyInstance, originOf: (request: FastifyRequest) => string) => {
  app.get('/robots.txt', (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /dashboard\nDisallow: /api/\n\nSitemap: ${originOf(request)}/sitemap.xml\n`),
  )
  app.get('/sitemap.xml', (request, reply) => {
    const urls = ['/', '/login', '/register'].map(path => `<url><loc>${originOf(request)}${path}</loc></url>`)
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
      )
  })
}
