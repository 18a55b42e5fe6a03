/** Runs the data checks (checks/*.sql), each of which returns the rows that break it. */
import type pg from 'pg'
import { checks } from '../operations/server/checkFiles.ts'

export type Broken = { check: string; rows: unknown[] }

/** The violated checks with their rows; empty when the books are in order. Throws if there is no check to run. */
export const runChecks = async (query: (sql: string) => Promise<Pick<pg.QueryResult, 'rows'>>): Promise<Broken[]> => {
  const broken: Broken[] = []
  for (const { name, sql } of await checks()) {
    const { rows } = await query(sql)
    if (rows.length > 0) broken.push({ check: `${name}.sql`, rows })
  }
  return broken
}
