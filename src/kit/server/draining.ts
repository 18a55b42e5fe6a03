/**
 * Stops a server without failing its callers: it first says that it is not ready, then takes no new connections, answers what is
 * under way, and tells the rest to come back.
 */
import { Server as NetServer, type Socket } from 'node:net'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DomainError } from '../errors.ts'
import { closeLines } from './live.ts'
import { refuseConnection } from './unreadable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits for what is under way; the server takes no connections afterwards. */
    drain: (waitSeconds: number) => Promise<void>
    isDraining: () => boolean
    /** Callers are sent to other servers by now, so streams end and are opened again there. */
    isClosing: () => boolean
  }
}

/** How long requests that are under way may take. */
export const underWayMs = 8_000
/** A connection that was used a moment ago may bring another request, which is answered before it closes. */
const settleMs = 1_000
const lookEveryMs = 25

const fastifyReply = Symbol('fastifyReply')
/**
 * A property, and `replies` an array: a weak map or a set would keep finished replies alive (docs/performance.md, Finished
 * requests).
 */
type RawReply = ServerResponse & { [fastifyReply]?: FastifyReply }
type Connection = { replies: RawReply[]; bytesRead: number; idleSince: number }

export const mountDraining = (app: FastifyInstance): void => {
  const connections = new Map<Socket, Connection>()
  let draining = false
  let closing = false
  let closed = false

  app.server.on('connection', socket => {
    connections.set(socket, { replies: [], bytesRead: 0, idleSince: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })
  app.server.on('request', (request, reply) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.replies.push(reply)
    reply.once('close', () => {
      connection.replies = connection.replies.filter(other => other !== reply)
      connection.bytesRead = request.socket.bytesRead
      connection.idleSince = performance.now()
    })
  })
  app.addHook('onRequest', (_request, reply, done) => {
    const raw: RawReply = reply.raw
    raw[fastifyReply] = reply
    // The framework's own answer would have another shape (`return503OnClosing`).
    done(closed ? restarting() : undefined)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Not while the server listens: a proxy would only reconnect, and connections not accepted yet are reset when listening ends.
    if (draining && !app.server.listening) reply.header('connection', 'close')
    done()
  })

  /** It has no request under way and has not begun to send one. */
  const isIdle = (socket: Socket, { replies, bytesRead }: Connection) =>
    replies.length === 0 && socket.bytesRead === bytesRead

  const closeIdle = (unusedForMs: number) => {
    for (const [socket, connection] of connections) {
      if (isIdle(socket, connection) && performance.now() - connection.idleSince >= unusedForMs) socket.end()
    }
  }

  /** Answers what still waits, also a request of which only the beginning has come. */
  const refuse = (socket: Socket, replies: readonly RawReply[]) => {
    for (const raw of replies) if (!raw.headersSent) raw[fastifyReply]?.send(restarting())
    if (replies.length > 0) return
    refuseConnection(app.log, socket, { statusCode: 503, code: 'UNAVAILABLE', message }, { 'retry-after': '2' })
    socket.end()
  }

  app.addHook('preClose', done => {
    closed = true
    closeLines()
    done()
  })
  app.decorate('isDraining', () => draining)
  app.decorate('isClosing', () => closing)
  app.decorate('drain', async waitSeconds => {
    draining = true
    await pause(waitSeconds * 1_000)
    // Not earlier: until callers are sent elsewhere, a stream that ends would be opened again on this server.
    closing = true
    closeLines()
    // Not http's own close(), which ends idle connections at once, including those with a request on its way.
    if (app.server.listening) NetServer.prototype.close.call(app.server)
    const until = performance.now() + underWayMs
    const open = () => [...connections].filter(([socket]) => !socket.writableEnded)
    while (open().length > 0 && performance.now() < until) {
      closeIdle(settleMs)
      await pause(lookEveryMs)
    }
    for (const [socket, { replies }] of open()) refuse(socket, replies)
    if (connections.size > 0) await pause(farewellMs)
  })
}

/** Time for the last answers to be sent. */
const farewellMs = 250

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const message = 'The service is restarting. Try again in a moment.'
const restarting = (): DomainError => new DomainError('UNAVAILABLE', message, { retryAfterSeconds: 2 })
