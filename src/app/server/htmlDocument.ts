/**
 * An HTML page from the build with inline scripts, so that the first paint waits for nothing else: read and compressed once per
 * build, and sent with a policy that allows only those scripts.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoded, encoded, encodingFor } from '../../kit/server/encodings.ts'

type Bodies = Encoded & { etag: string; scripts: string }

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
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 24)}"`
  return { ...(await encoded(html)), etag, scripts: scriptHashes(html) }
}

type Filling = {
  /** Completes a variant of the page with what only the running server knows. */
  fill: (html: string, variant: string) => string
  /** The client's variant; '' is the default. It may be hostile: `fill` has to escape it. */
  variantOf: (request: FastifyRequest) => string
}

/** Each variant is compressed once per build and kept; beyond this number, clients get the default one. */
const mostVariants = 5

/** Sends the page at `file` with the status already set on the reply. */
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
    // If the page could not be read, the next request tries again.
    made.catch(() => bodies.delete(variant))
    return made
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = await current(variantOf(request))
    reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', page.etag)
    const policy = String(reply.getHeader('content-security-policy'))
    reply.header('content-security-policy', policy.replace("script-src 'self'", `script-src 'self' ${page.scripts}`))
    // Only a 200 can become a 304 (RFC 9110, 13.2.1).
    if (reply.statusCode === 200 && request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send()
    const encoding = encodingFor(request)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('text/html; charset=utf-8').send(page[encoding])
  }
}
