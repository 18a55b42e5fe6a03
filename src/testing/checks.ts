/** Runs the invariants of the data (checks/*.sql): each answers the rows that break it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { projectRoot } from '../kit/server/root.ts'

const folder = join(projectRoot, 'checks')

export type Broken = { check: string; rows: unknown[] }

/** What is broken, by check; empty when the books are in order. Throws when there is no check to run. */
export const runChecks = async (query: (sql: string) => Promise<Pick<pg.QueryResult, 'rows'>>): Promise<Broken[]> => {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).toSorted()
  if (files.length === 0) throw new Error(`no checks in ${folder}`)
  const broken: Broken[] = []
  for (const file of files) {
    const { rows } = await query(await readFile(join(folder, file), 'utf8'))
    if (rows.length > 0) broken.push({ check: file, rows })
  }
  return broken
}
