/** How every operator command begins and ends. */
import { DomainError } from '../src/kit/errors.ts'

export const say = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}

/** For the usage texts of commands that work on the product's database. */
export const whichDatabase = `The database is the one in DATABASE_MIGRATION_URL, or else DATABASE_DIRECT_URL, or else DATABASE_URL; if none of them is set,
the embedded one in DATA_DIR (default ./data). A server may be running.`

/** The part of an error that is meant for people. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof DomainError) return error.message
  if (error instanceof Error && 'issues' in error && Array.isArray(error.issues)) {
    return (error.issues as { message: string }[]).map(issue => issue.message).join('\n')
  }
  return error instanceof Error ? error.message : String(error)
}

/** If it fails, prints a sentence and exits with code 1. */
export const runCommand = async (main: () => Promise<void>): Promise<void> => {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exitCode = 1
  }
}
