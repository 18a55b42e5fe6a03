/** Exports a whole list as a CSV file, not only the current page. */
import { type CsvRow, toCsv } from '../csv.ts'
import { downloadCsv } from './download.ts'

type FetchPage<T> = (at: { page: number; limit: number }) => Promise<{ data: readonly T[]; total: number }>

const maxPageSize = 100

/** Pages are loaded in turn: only the reply says whether there is another one. */
export const allPages = async <T>(fetchPage: FetchPage<T>): Promise<T[]> => {
  const items: T[] = []
  for (let page = 1; ; page++) {
    const { data, total } = await fetchPage({ page, limit: maxPageSize })
    items.push(...data)
    // The list may have become shorter since the first page.
    if (items.length >= total || data.length === 0) return items
  }
}

type Export<T> = { fileName: string; head: CsvRow; toRow: (item: T) => CsvRow; fetchPage: FetchPage<T> }

export const exportCsv = async <T>({ fileName, head, toRow, fetchPage }: Export<T>): Promise<void> => {
  const items = await allPages(fetchPage)
  downloadCsv(fileName, toCsv([head, ...items.map(toRow)]))
}
