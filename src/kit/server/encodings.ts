/** Which encodings a client accepts, and a text compressed once, for every client that asks for it. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip' | 'identity'

export type Encoded = Record<Encoding, Buffer>

export const encoded = async (text: string, brotliQuality?: number): Promise<Encoded> => {
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(
      identity,
      brotliQuality === undefined ? {} : { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    ),
    promisify(gzip)(identity, { level: 9 }),
  ])
  return { identity, br, gzip: gz }
}

/** Whether the client accepts an encoding; `;q=0` excludes one. */
export const accepts = (request: FastifyRequest, name: 'br' | 'gzip'): boolean =>
  (request.headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map(part => part.replaceAll(/[ \t]/g, ''))
    .some(part => part === name || (part.startsWith(`${name};`) && !/;q=0(\.0*)?$/.test(part)))

/** The best encoding that the client accepts. */
export const encodingFor = (request: FastifyRequest): Encoding =>
  (['br', 'gzip'] as const).find(name => accepts(request, name)) ?? 'identity'
