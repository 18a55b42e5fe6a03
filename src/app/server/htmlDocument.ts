/**
 * An HTML page that was made at build and carries scripts of its own, so that nothing has to be waited for before the
 * first paint: read once for each build, kept in every encoding, and sent with a policy that allows those scripts alone.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Bodies = { plain: Buffer; br: Buffer; gzip: Buffer; etag: string; scripts: string; builtAt: number }

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

/** Sends the page at `file`, with the status that was set; `fill` writes into it what only the running server knows. */
export const htmlDocument = (file: string, fill: (html: string) => string = html => html) => {
  let bodies: Bodies | undefined

  const current = async (): Promise<Bodies> => {
    const { mtimeMs } = await stat(file)
    if (bodies?.builtAt !== mtimeMs) bodies = await encode(fill(await readFile(file, 'utf8')), mtimeMs)
    return bodies
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = await current()
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
