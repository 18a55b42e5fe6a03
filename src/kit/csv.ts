/** Comma-separated values (RFC 4180) that a spreadsheet never reads as a formula. */
type Cell = string | number | null
export type CsvRow = readonly Cell[]

/**
 * What starts a formula in a spreadsheet, even after a tab or a line break; East Asian spreadsheets accept the wide signs as
 * well.
 */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/

/**
 * Where a formula may start inside a text in a spreadsheet that separates cells by another character than the comma, and so takes
 * our quotes for text.
 */
const startsWithin = /[;|\t\r\n][;|"\s]*[=+\-@＝＋－＠]?/g

/**
 * Puts an apostrophe before the sign that starts a formula, if the run ends with one. Each run is read once, however long it is.
 */
const withApostrophe = (run: string) => (/[=+\-@＝＋－＠]$/.test(run) ? `${run.slice(0, -1)}'${run.slice(-1)}` : run)

/** Amounts in dollars, negative ones included: they cannot be formulas, and a spreadsheet has to add them up. */
const amount = /^-\d+\.\d{2}$/

const toCell = (value: Cell): string => {
  if (value === null) return ''
  // A number cannot be a formula, and -5 has to stay a number.
  if (typeof value === 'number') return String(value)
  const within = value.replaceAll(startsWithin, withApostrophe)
  const text = formulaStart.test(value) && !amount.test(value) ? `'${within}` : within
  return /[",;|\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line per row; the first row is the header. */
export const toCsv = (rows: readonly CsvRow[]): string => rows.map(row => `${row.map(toCell).join(',')}\r\n`).join('')

/** A file of its own, or its beginning. Without a byte order mark, spreadsheets do not read UTF-8. */
export const csvFile = (rows: readonly CsvRow[]): string => `\uFEFF${toCsv(rows)}`
