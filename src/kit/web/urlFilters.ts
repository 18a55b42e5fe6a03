/**
 * The state of a list is in the address, so a reload, a link and Back keep it: filters, page, and the open item. A reader turns
 * the address's text into a value, and '' (nothing there) into the default.
 */
import { useSearchParams } from 'react-router'
import { lastPageByNumber } from '../numbered.ts'

type Value = string | number | null
type Reader<T> = (text: string) => T
type Readers = Record<string, Reader<Value>>

/** Typed text. */
export const words: Reader<string> = text => text.trim().slice(0, 100)

/** One of a list of values; anything else becomes `otherwise`. */
export const oneOf =
  <const T extends string, const D extends T | null = null>(
    known: readonly T[],
    otherwise: D = null as D,
  ): Reader<T | D> =>
  text =>
    known.find(value => value === text) ?? otherwise

/** Anything that is not a page number means the first page. */
const pageNumber: Reader<number> = text => (/^\d{1,9}$/.test(text) ? Math.max(Number(text), 1) : 1)

/** A page by its number or, beyond the last page that can be found by number, by the cursor that leads to it. */
export type PageAt = { page: number; cursor?: string }

export const pageIn = (params: URLSearchParams): PageAt => {
  const page = pageNumber(params.get('page') ?? '')
  const cursor = params.get('cursor')
  return cursor ? { page, cursor } : { page: Math.min(page, lastPageByNumber) }
}

type Change = { changed: Record<string, Value | undefined>; readers: Readers; push: boolean }

const useAddress = () => {
  const [params, setParams] = useSearchParams()
  const change = ({ changed, readers, push }: Change) => {
    // Read the address as it is now: a search delayed by typing must not undo what was chosen meanwhile.
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value === null || value === undefined || value === readers[name]?.('')) next.delete(name)
      else next.set(name, String(value))
    }
    const same = next.toString() === new URLSearchParams(window.location.search).toString()
    setParams(next, { replace: same || !push, preventScrollReset: true })
  }
  return { params, change }
}

/** One value in the address, and how to set it. Back undoes it, except for values set without `push`. */
export const useUrlValue = <T extends Value>(name: string, reader: Reader<T>) => {
  const { params, change } = useAddress()
  const set = (value: T, { push = true } = {}) =>
    change({ changed: { [name]: value }, readers: { [name]: reader }, push })
  return [reader(params.get(name) ?? ''), set] as const
}

type Filters<R extends Readers> = { [K in keyof R]: ReturnType<R[K]> }

/** The filters in an address, for what is loaded before its screen. */
export const filtersIn = <R extends Readers>(readers: R, params: URLSearchParams): Filters<R> => {
  const read = ([name, reader]: [string, Reader<Value>]) => [name, reader(params.get(name) ?? '')] as const
  return Object.fromEntries(Object.entries(readers).map(read)) as Filters<R>
}

/** The filters of a list and its page: `useUrlFilters({ search: words, status: oneOf(statuses) })`. */
export const useUrlFilters = <R extends Readers>(readers: R) => {
  const { params, change } = useAddress()
  const filters = filtersIn(readers, params)
  return {
    filters,
    /** Whether any filter narrows the list. */
    filtered: Object.entries(readers).some(([name, reader]) => filters[name] !== reader('')),
    at: pageIn(params),
    /** Another filter starts at the first page. Back undoes choices, but not typed letters. */
    change: (
      changed: Partial<Filters<R>>,
      { push = Object.keys(changed).some(name => readers[name] !== words) } = {},
    ) => change({ changed: { ...changed, page: null, cursor: null }, readers, push }),
    /** `first` is how the address writes the first page: not at all, unless it has to. */
    turn: ({ page, cursor }: PageAt, first: Reader<Value> = pageNumber) =>
      change({ changed: { page, cursor }, readers: { page: first }, push: true }),
  }
}
