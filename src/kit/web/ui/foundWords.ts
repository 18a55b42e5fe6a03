/** What lists announce that they have found. Nothing for an empty list, which says so itself. */
import type { NumberedPage } from '../../endpoint.ts'
import { counted, grouped } from '../../words.ts'

/** 987,654 → "about 990,000". */
const about = (count: number) => `about ${grouped(Number(count.toPrecision(2)))}`

/** "21 to 40 of 41". */
export const rangeOf = ({ data, page, limit, total, totalIsEstimate }: NumberedPage<unknown>): string => {
  const before = (page - 1) * limit
  return `${grouped(before + 1)} to ${grouped(before + data.length)} of ${totalIsEstimate ? about(total) : grouped(total)}`
}

/** For a list with page numbers: "3 users found", or "21 to 40 of 41 users". */
export const foundOf =
  (noun: string) =>
  (page: NumberedPage<unknown>): string => {
    if (page.data.length === 0) return ''
    return page.data.length === page.total ? `${counted(page.total, noun)} found` : `${rangeOf(page)} ${noun}s`
  }

/** For a list that grows with scrolling: "20 bugs shown". */
export const shownOf =
  (noun: string) =>
  ({ length }: readonly unknown[]): string =>
    length === 0 ? '' : `${counted(length, noun)} shown`
