/**
 * An HTML page that was made at build and carries scripts of its own, so that nothing has to be waited for before the
 * first paint: read once for each build, kept in every encoding, and sent with a policy that allows those scripts alone.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Bodies = { plain: Buffer; br: Buffer; gzip: Buffer; etag: string; scripts: string }

const scriptHashes = (html: string) =>
  [...html.matchAll(/<script>([^]*?)<\/script>/g)]
    .map(
      ([, script]) =>
        `'sha256-${createHash('sha256')
          .update(script ?? '')
          .digest('base64')}'`,
    )
    .join(' ')

const encode = async (html: string): Promise<Bodies> => {
  const plain = Buffer.from(html)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain, { level: 9 })])
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 24)}"`
  return { plain, br, gzip: gz, etag, scripts: scriptHashes(html) }
}

/** The best of what the caller takes; `;q=0` is a refusal. */
const encodingFor = (request: FastifyRequest): 'br' | 'gzip' | 'plain' => {
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').map(part => part.replaceAll(' ', ''))
  const takes = (name: string) =>
    accepted.some(part => part === name || (part.startsWith(`${name};`) && !/;q=0(\.0*)?$/.test(part)))
  return (['br', 'gzip'] as const).find(takes) ?? 'plain'
}

type Filling = {
  /** Writes into the page what only the running server knows, for one of its variants. */
  fill: (html: string, variant: string) => string
  /** Which variant the caller gets; '' is the one for everybody. It may be hostile text: `fill` has to take it. */
  variantOf: (request: FastifyRequest) => string
}

/** Each is compressed once for a build, and kept: who asks for still another one gets the one for everybody. */
const mostVariants = 5

/** Sends the page at `file`, with the status that was set. */
export const htmlDocument = (
  file: string,
  { fill, variantOf }: Filling = { fill: html => html, variantOf: () => '' },
) => {
  let kept = { builtAt: 0, bodies: new Map<string, Promise<Bodies>>() }

  const current = async (wanted: string): Promise<Bodies> => {
    const { mtimeMs } = await stat(file)
    if (kept.builtAt !== mtimeMs) kept = { builtAt: mtimeMs, bodies: new Map() }
    const { bodies } = kept
    const variant = bodies.has(wanted) || bodies.size < mostVariants ? wanted : ''
    const known = bodies.get(variant)
    if (known) return known
    const made = readFile(file, 'utf8').then(html => encode(fill(html, variant)))
    bodies.set(variant, made)
    // A page that could not be read is tried again.
    made.catch(() => bodies.delete(variant))
    return made
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = await current(variantOf(request))
    reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', page.etag)
    const policy = String(reply.getHeader('content-security-policy'))
    reply.header('content-security-policy', policy.replace("script-src 'self'", `script-src 'self' ${page.scripts}`))
    // Only what would have been 200 can be unchanged (RFC 9110, 13.2.1).
    if (reply.statusCode === 200 && request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send()
    const encoding = encodingFor(request)
    if (encoding !== 'plain') reply.header('content-encoding', encoding)
    return reply.type('text/html; charset=utf-8').send(page[encoding])
  }
}
