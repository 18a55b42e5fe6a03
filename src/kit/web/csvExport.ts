/** Exports a whole list as a CSV file, not only the current page. */
import { type CsvRow, toCsv } from '../csv.ts'
import type { NumberedPage } from '../endpoint.ts'
import { ApiError } from './apiError.ts'
import { downloadCsv } from './download.ts'

type At = { limit: number; cursor: string | undefined }
type FetchPage<T> = (at: At) => Promise<Pick<NumberedPage<T>, 'data' | 'nextCursor'>>
type Pause = (ms: number) => Promise<void>

const maxPageSize = 100

/**
 * A long export slows down to leave room for the user's other requests, because the server takes 1,200 a minute from one network.
 */
const unpacedPages = 200
const paceMs = 75

/** Too many requests, a busy or restarting server, or no network: the export continues where it was, for about a minute. */
const passing = [429, 503, 0]
const tries = 12
const againAfterMs = 5000

const pauseFor: Pause = ms =>
  new Promise(resolve => {
    setTimeout(resolve, ms)
  })

const askUntilAnswered = async <T>(ask: () => Promise<T>, pause: Pause): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === tries || !(error instanceof ApiError) || !passing.includes(error.status)) throw error
      await pause(againAfterMs)
    }
  }
}

/** Follows each page's cursor to the next, so rows that are added or removed meanwhile shift no others. */
export async function* allPages<T>(fetchPage: FetchPage<T>, pause = pauseFor): AsyncGenerator<T[]> {
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const { data, nextCursor } = await askUntilAnswered(() => fetchPage({ limit: maxPageSize, cursor }), pause)
    yield data
    if (nextCursor === null) return
    cursor = nextCursor
    if (page > unpacedPages) await pause(paceMs)
  }
}

type Export<T> = { fileName: string; head: CsvRow; toRow: (item: T) => CsvRow; fetchPage: FetchPage<T> }

export const exportCsv = async <T>({ fileName, head, toRow, fetchPage }: Export<T>): Promise<void> => {
  const parts = [toCsv([head])]
  for await (const items of allPages(fetchPage)) parts.push(toCsv(items.map(toRow)))
  downloadCsv(fileName, parts)
}
