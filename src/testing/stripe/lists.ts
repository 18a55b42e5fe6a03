/** Stripe's lists: filters, pages by id, and `expand`. */
import { invalidRequest } from './refusals.ts'
import type { Fields, StripeObject, State } from './state.ts'

const paging = new Set(['limit', 'starting_after', 'ending_before', 'expand', 'created', 'types', 'delivery_success'])

type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number }

const inRange = (value: number, range: Range): boolean => {
  if (typeof range === 'number') return value === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return value > gt && value >= gte && value < lt && value <= lte
}

/** Matches like the `type` filter of events: `charge.*`. */
const isLike = (value: unknown, wanted: unknown) =>
  typeof wanted === 'string' && wanted.endsWith('*') ? String(value).startsWith(wanted.slice(0, -1)) : value === wanted

export const listed = (objects: readonly StripeObject[], params: Fields, url: string): Fields => {
  const { limit = 10, starting_after: after, ending_before: before, created, types } = params
  const filters = Object.entries(params).filter(([name]) => !paging.has(name))
  const matching = objects.filter(
    object =>
      filters.every(([name, wanted]) => isLike(object[name], wanted)) &&
      (created === undefined || inRange(Number(object.created), created as Range)) &&
      (!Array.isArray(types) || types.some(type => isLike(object.type, type))),
  )
  const placeOf = (id: unknown, param: string) => {
    const place = matching.findIndex(object => object.id === id)
    if (place < 0) throw invalidRequest(`No such object: '${String(id)}'`, { code: 'resource_missing', param })
    return place
  }
  const size = Number(limit)
  if (before !== undefined) {
    const end = placeOf(before, 'ending_before')
    const start = Math.max(0, end - size)
    return { object: 'list', url, data: matching.slice(start, end), has_more: start > 0 }
  }
  const start = after === undefined ? 0 : placeOf(after, 'starting_after') + 1
  return { object: 'list', url, data: matching.slice(start, start + size), has_more: matching.length > start + size }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const expandOne = (state: State, holder: unknown, [name = '', ...rest]: readonly string[]): void => {
  if (Array.isArray(holder)) for (const one of holder) expandOne(state, one, [name, ...rest])
  else if (isFields(holder)) {
    const value = holder[name]
    const found = typeof value === 'string' ? state.objectOf(value) : undefined
    if (found) holder[name] = structuredClone(found)
    if (rest.length > 0) expandOne(state, holder[name], rest)
  }
}

/** A copy with the ids at these paths replaced by their objects. */
export const expanded = (state: State, answer: Fields, paths: unknown): Fields => {
  const copy = structuredClone(answer)
  if (Array.isArray(paths)) for (const path of paths) expandOne(state, copy, String(path).split('.'))
  return copy
}
