/**
 * Conditional requests (RFC 9110 §13): a caller who has an answer sends its tag, and gets 304 without a body while nothing has
 * changed. The tag is made from the answer itself, after the query has run, so it cannot be stale on any server or for any user,
 * and it changes when the passing of time changes the answer (decision 031).
 */
import { createHash } from 'node:crypto'
import { constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../endpoint.ts'
import { accepts } from './encodings.ts'

/** Stored only by the caller's own browser, which asks each time; never shown to whoever signs in next. */
const kept = { 'cache-control': 'private, no-cache', vary: 'authorization' }

/** In characters. Compressing takes about 0.1 ms, however small the answer is; on a slow connection 16 kB take 80 ms. */
const leastCompressed = 16_384

/** Serializes the answer by its contract and sends it, or sends 304 to a caller who has it already. */
export const sendIfChanged = (
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: SignedIn,
  answer: unknown,
): FastifyReply => {
  const body = reply.serialize(answer) as string
  const tag = tagOf(viewer, request.url, reply.getHeader('link'), body)
  const isLong = body.length >= leastCompressed
  const zips = isLong && accepts(request, 'gzip')
  reply.headers(kept).header('etag', zips ? `W/${tag}` : tag)
  if (isLong) reply.header('vary', `${kept.vary}, accept-encoding`)
  // With the headers of the answer that it stands for: the browser keeps these.
  if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.type('application/json; charset=utf-8')
  if (!zips) return reply.send(body)
  return reply.header('content-encoding', 'gzip').send(gzipSync(body, { level: constants.Z_BEST_SPEED }))
}

/** Two users never have the same tag, nor do two addresses; the link to the next page is part of the answer. */
const tagOf = ({ id, role }: SignedIn, url: string, link: unknown, body: string): string => {
  const about = JSON.stringify([id, role, url, link])
  return `"${createHash('sha256').update(about).update(body).digest('base64url').slice(0, 27)}"`
}

/** The weak comparison, as for every If-None-Match: a proxy that compresses makes a tag weak. */
const hasTag = (asked: string | undefined, tag: string): boolean => {
  if (asked === undefined) return false
  if (asked === tag || asked.trim() === '*') return true
  return [...asked.matchAll(/"[^"]*"/g)].some(([one]) => one === tag)
}
