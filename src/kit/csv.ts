/** Comma-separated values (RFC 4180) that a spreadsheet reads as text and never as a formula. */
type Cell = string | number | null

/** What a spreadsheet takes for the start of a formula; after a tab or a line break it looks again. */
const formulaStart = /^[=+\-@\t\r\n]/

/** Dollars with their cents, below zero as well: no formula, and a sum in a spreadsheet needs them as a number. */
const amount = /^-\d+\.\d{2}$/

const toCell = (value: Cell): string => {
  if (value === null) return ''
  // A number cannot carry a formula, and -5 has to stay one.
  if (typeof value === 'number') return String(value)
  const text = formulaStart.test(value) && !amount.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** The rows as lines, the head as the first of them. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map(row => `${row.map(toCell).join(',')}\r\n`).join('')
