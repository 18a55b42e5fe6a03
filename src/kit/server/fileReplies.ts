/** Replies that are files: bytes from strangers, or text for a spreadsheet. None of them may act as a page of ours. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileReply } from '../endpoint.ts'

/** Whatever a browser takes the bytes for, it runs nothing, loads nothing and gives them no origin. */
const policy = "sandbox; default-src 'none'; frame-ancestors 'none'"

export const sendFile = (reply: FastifyReply, { type, content, length, downloadAs }: FileReply): FastifyReply => {
  if (length !== undefined) reply.header('content-length', length)
  return reply
    .type(type)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-disposition', downloadAs === undefined ? 'inline' : `attachment; filename="${downloadAs}"`)
    .send(
      typeof content === 'string'
        ? content
        : content instanceof Uint8Array
          ? Buffer.from(content)
          : Readable.from(content),
    )
}
