/**
 * The landing page, with what only the running server knows: its public address, for search engines and for those who
 * share a link. The file was rendered at build; here it is read once for each build and kept in every encoding.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'

type Bodies = { plain: Buffer; br: Buffer; gzip: Buffer; etag: string; scripts: string; builtAt: number }

/** Without a public address no canonical one is claimed. */
const addresses = (origin: string) =>
  [
    ...(origin ? [`<link rel="canonical" href="${origin}/">`, `<meta property="og:url" content="${origin}/">`] : []),
    `<meta property="og:image" content="${origin}/og.png">`,
  ].join('\n    ')

const fill = (html: string, origin: string) =>
  html.replace('<!--addresses-->', () => addresses(origin)).replaceAll('{address}', () => encodeURIComponent(origin))

/** The theme's script stands in the page, so that nothing has to be waited for; the policy allows it by its hash alone. */
const scriptHashes = (html: string) =>
  [...html.matchAll(/<script>([^]*?)<\/script>/g)]
    .map(
      ([, script]) =>
        `'sha256-${createHash('sha256')
          .update(script ?? '')
          .digest('base64')}'`,
    )
    .join(' ')

const encode = async (html: string, builtAt: number): Promise<Bodies> => {
  const plain = Buffer.from(html)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain, { level: 9 })])
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 24)}"`
  return { plain, br, gzip: gz, etag, scripts: scriptHashes(html), builtAt }
}

/** The best of what the caller takes; `;q=0` is a refusal. */
const encodingFor = (request: FastifyRequest): 'br' | 'gzip' | 'plain' => {
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').map(part => part.replaceAll(' ', ''))
  const takes = (name: string) =>
    accepted.some(part => part === name || (part.startsWith(`${name};`) && !/;q=0(\.0*)?$/.test(part)))
  return (['br', 'gzip'] as const).find(takes) ?? 'plain'
}

export const mountFrontPage = (app: FastifyInstance, built: string, env: { PUBLIC_URL?: string | undefined }): void => {
  const origin = env.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  const file = join(built, 'landing.html')
  let bodies: Bodies | undefined

  const current = async (): Promise<Bodies> => {
    const { mtimeMs } = await stat(file)
    if (bodies?.builtAt !== mtimeMs) bodies = await encode(fill(await readFile(file, 'utf8'), origin), mtimeMs)
    return bodies
  }

  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const page = await current()
    reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', page.etag)
    const policy = String(reply.getHeader('content-security-policy'))
    reply.header('content-security-policy', policy.replace("script-src 'self'", `script-src 'self' ${page.scripts}`))
    if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send()
    const encoding = encodingFor(request)
    if (encoding !== 'plain') reply.header('content-encoding', encoding)
    return reply.type('text/html; charset=utf-8').send(page[encoding])
  })
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
