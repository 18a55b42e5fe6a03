/** Runs a check of the data and returns the rows that break it. */
import { transact, type Tx } from '../../kit/server/db.ts'
import type { Check } from './checkFiles.ts'

export type Answer = { broken: number; rows: readonly object[] }

const countedUpTo = 1001
const examplesShown = 5

/** Limits the rows, because the exact number does not matter when everything is broken. */
const boundedTo = (sql: string, ...more: string[]) => `
  select to_json(answer) as row from (
${sql}
  ) answer ${more.join(' ')} limit ${countedUpTo}`

/** Runs the check as of one moment. */
export const answerInFull = ({ sql }: Check): Promise<Answer> =>
  transact(async tx => {
    await tx.raw('set transaction read only')
    return answerOf(await tx.raw(boundedTo(sql)))
  })

/** What has changed: ids of any kind, accounts, and business keys of transfers. */
export type Touched = { ids: string[]; accounts: string[]; keys: string[] }

/** Runs the check as of the snapshot of `tx`. */
export const answerForTouched = async (tx: Pick<Tx, 'raw'>, touchedSql: string, touched: Touched): Promise<Answer> => {
  // Uses every parameter, even if the check does not.
  const all = 'where ($1::uuid[], $2::bigint[], $3::text[]) is not null'
  return answerOf(await tx.raw(boundedTo(touchedSql, all), [touched.ids, touched.accounts, touched.keys]))
}

const answerOf = ({ rows }: { rows: unknown[] }): Answer => {
  const answered = (rows as { row: object }[]).map(({ row }) => row)
  return { broken: answered.length, rows: answered }
}

/** A few of the rows, to look at. */
export const examplesOf = ({ rows }: Answer): object[] => rows.slice(0, examplesShown)

/** How many cents each row is off, keyed by what the row is about: its first column, and also its second if the first is a kind. */
export const offCentsOf = ({ rows }: Answer): Record<string, number> =>
  Object.fromEntries(rows.map(row => [aboutOf(row), (row as { off_cents?: number }).off_cents ?? 0]))

const kinds = ['what', 'side']
const aboutOf = (row: object) => {
  const [[name, first], second] = Object.entries(row) as [[string, unknown], [string, unknown]?]
  return kinds.includes(name) ? `${String(first)} ${String(second?.[1])}` : String(first)
}
