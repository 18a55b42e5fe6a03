/** The files of /migrations: what they contain, how each is applied, and which release they make (decision 047). */
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export type SqlFile = { name: string; text: string; hash: string }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const readSqlFiles = async (folder: string): Promise<SqlFile[]> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, hash: sha256(text) }
    }),
  )
}

/** `release` is the number of this set of files: see `releaseOf`. */
export type MigrationSet = { migrations: SqlFile[]; functions: SqlFile[]; release: number }

export const readMigrations = async (folder: string): Promise<MigrationSet> => {
  const [migrations, functions, last] = await Promise.all([
    readSqlFiles(folder),
    readSqlFiles(join(folder, 'functions')),
    readLastRelease(folder),
  ])
  return { migrations, functions, release: releaseOf(migrations, functions, last) }
}

export const numberOf = (name: string): number => Number.parseInt(name, 10)
export const newestOf = (migrations: readonly SqlFile[]): number =>
  Math.max(0, ...migrations.map(({ name }) => numberOf(name)))

/** Written by `npm run release`: the last release that was made, and the signatures of its functions. */
const LastRelease = z.object({
  release: z.number(),
  /** Its newest numbered file. */
  newest: z.number(),
  /** The hash of all its function files. */
  bodies: z.string(),
  /** Name → parameters and result of each function that a server of that release calls. */
  functions: z.record(z.string(), z.string()),
})
export type LastRelease = z.infer<typeof LastRelease>

export const releaseFile = 'release.json'

export const readLastRelease = async (folder: string): Promise<LastRelease | undefined> => {
  const text = await readFile(join(folder, releaseFile), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : LastRelease.parse(JSON.parse(text))
}

export const bodiesOf = (functions: readonly SqlFile[]): string =>
  sha256(functions.map(({ name, hash }) => `${name} ${hash}`).join('\n'))

/** The last release if nothing differs from it; any difference belongs to the next one. */
const releaseOf = (migrations: SqlFile[], functions: SqlFile[], last: LastRelease | undefined): number => {
  if (!last) return 1
  const isMade = newestOf(migrations) === last.newest && bodiesOf(functions) === last.bodies
  return isMade ? last.release : last.release + 1
}

/** A file whose first line is `-- no transaction` is applied statement by statement, and again from the start after a crash. */
export const isTransactional = (text: string): boolean => !/^-- no transaction\b/.test(text)

/** Splits a file without a transaction, in which each statement ends at the end of a line. */
export const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

/** The index that a statement creates concurrently. */
export const indexMadeBy = (statement: string): string | undefined =>
  /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s/i.exec(statement)?.[1]

/** Such a statement changes some of the rows each time, and is repeated until there are none left to change. */
export const isRepeated = (statement: string): boolean => /^(?:update|delete|with)\b/i.test(statement)
