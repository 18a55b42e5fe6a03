/** Connections that stay open and carry events (text/event-stream). */
import type { FastifyReply } from 'fastify'
import { DomainError } from '../errors.ts'
import type { LiveLine, LiveReply } from '../endpoint.ts'

/** A reader who leaves this many bytes unread is disconnected, and comes back with its cursor. */
const unreadBytes = 65_536

const lines = new Set<LiveLine>()

/** Called when the server stops; the readers reconnect to another server. */
export const closeLines = (): void => {
  for (const line of lines) line.end()
}

export const isLive = (result: unknown): result is LiveReply =>
  typeof result === 'object' && result !== null && 'attach' in result

/** Takes the reply over from Fastify, which then keeps nothing of it. */
export const sendLive = (reply: FastifyReply, { attach }: LiveReply): FastifyReply => {
  if (reply.server.isClosing())
    throw new DomainError('UNAVAILABLE', 'The service is restarting. Try again in a moment.', { retryAfterSeconds: 2 })
  const { raw } = reply.hijack()
  // A caller who has already gone causes no further close event.
  if (raw.destroyed) return reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // A proxy that buffers answers would hold the events back.
    'x-accel-buffering': 'no',
  })
  const line: LiveLine = {
    write: text => {
      if (raw.destroyed || raw.writableEnded) return
      raw.write(text)
      if (raw.writableLength > unreadBytes) raw.destroy()
    },
    end: () => raw.end(),
  }
  lines.add(line)
  const closed = attach(line)
  raw.once('close', () => {
    lines.delete(line)
    closed()
  })
  return reply
}
