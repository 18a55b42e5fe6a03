/** The links from one page of a list to others, in a Link header (RFC 8288) that keeps the caller's filters. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, NumberedPage, Page } from '../endpoint.ts'

/** Returns the body of a page; the links to other pages go into the header. */
export const bodyWithLinks = (
  { numbered }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
): unknown => {
  if (numbered) {
    linkTo(request, reply, pagesAround(result as NumberedPage<unknown>))
    return result
  }
  const { items, nextCursor } = result as Page<unknown>
  linkTo(request, reply, nextCursor === null ? [] : [['next', { cursor: nextCursor }]])
  return items
}

/** Changes to the query for another page; null removes a parameter. */
type Change = Record<string, string | number | null>

/** A query without escapes, which may stay as it is written. */
const plain = /^[\w&=.-]+$/

const changed = (query: string, change: Change): string => {
  // Usually it is the first page, whose query need not be parsed: only the cursor is added.
  const { cursor } = change
  const isFirst = Object.keys(change).length === 1 && typeof cursor === 'string' && !query.includes('cursor')
  if (isFirst && plain.test(query) && plain.test(cursor)) return `${query}&cursor=${encodeURIComponent(cursor)}`
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) next.delete(name)
    else next.set(name, String(value))
  }
  return next.toString()
}

const linkTo = (request: FastifyRequest, reply: FastifyReply, pages: [rel: string, change: Change][]) => {
  if (pages.length === 0) return
  const [path, query = ''] = request.url.split('?')
  const link = ([rel, change]: [string, Change]) => {
    const next = changed(query, change)
    return `<${path}${next && `?${next}`}>; rel="${rel}"`
  }
  reply.header('link', pages.map(link).join(', '))
}

const pagesAround = ({ page, nextCursor, previousCursor }: NumberedPage<unknown>): [string, Change][] => [
  ...(nextCursor === null ? [] : [['next', { page: page + 1, cursor: nextCursor }] as [string, Change]]),
  ...(previousCursor === null ? [] : [['prev', before(page, previousCursor)] as [string, Change]]),
  ...(page === 1 ? [] : [['first', firstPage] as [string, Change]]),
]

const firstPage: Change = { page: null, cursor: null }

/** The first page is asked for without a cursor, so it also has what is new. */
const before = (page: number, cursor: string): Change => (page <= 2 ? firstPage : { page: page - 1, cursor })
