/** The invariants of the data (checks/*.sql): each answers the rows that break it. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { projectRoot } from '../../kit/server/root.ts'

const folder = join(projectRoot, 'checks')

/** `says` is the check's own first sentences: what holds while it answers nothing. */
export type Check = { name: string; says: string; sql: string }

let loaded: Promise<Check[]> | undefined

/** By name. Throws when there is none. */
export const checks = (): Promise<Check[]> => (loaded ??= load())

const load = async () => {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).toSorted()
  if (files.length === 0) throw new Error(`no checks in ${folder}`)
  return Promise.all(
    files.map(async file => {
      const sql = await readFile(join(folder, file), 'utf8')
      return { name: basename(file, '.sql'), says: leadingComment(sql), sql: sql.trim().replace(/;$/, '') }
    }),
  )
}

const leadingComment = (sql: string) => {
  const lines = sql.split('\n')
  const end = lines.findIndex(line => !line.startsWith('--'))
  return lines
    .slice(0, end)
    .map(line => line.slice(2).trim())
    .join(' ')
}
