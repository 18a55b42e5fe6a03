/** The landing page, with what only the running server knows: its public address, for search engines and for those who share a link. */
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { htmlDocument } from './htmlDocument.ts'

/** Without a public address no canonical one is claimed. */
const addresses = (origin: string) =>
  [
    ...(origin ? [`<link rel="canonical" href="${origin}/">`, `<meta property="og:url" content="${origin}/">`] : []),
    `<meta property="og:image" content="${origin}/og.png">`,
  ].join('\n    ')

const fill = (html: string, origin: string) =>
  html.replace('<!--addresses-->', () => addresses(origin)).replaceAll('{address}', () => encodeURIComponent(origin))

export const mountFrontPage = (app: FastifyInstance, built: string, env: { PUBLIC_URL?: string | undefined }): void => {
  const origin = env.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  const sendLanding = htmlDocument(join(built, 'landing.html'), html => fill(html, origin))
  app.get('/', { schema: { hide: true } }, sendLanding)
  app.get('/landing.html', { schema: { hide: true } }, (_request, reply) => reply.redirect('/', 301))
  mountForRobots(app, origin)
}

/** Both name full addresses; without PUBLIC_URL the one that was asked. */
const mountForRobots = (app: FastifyInstance, origin: string) => {
  const originOf = (request: FastifyRequest) => origin || `${request.protocol}://${encodeURI(request.host)}`
  app.get('/robots.txt', { schema: { hide: true } }, (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /dashboard\nDisallow: /api/\n\nSitemap: ${originOf(request)}/sitemap.xml\n`),
  )
  app.get('/sitemap.xml', { schema: { hide: true } }, (request, reply) => {
    const urls = ['/', '/login', '/register'].map(
      path => `<url><loc>${escapeXml(originOf(request) + path)}</loc></url>`,
    )
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
      )
  })
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&apos;')
