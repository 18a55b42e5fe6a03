/** How every operator command begins and ends. */
import { DomainError } from '../src/kit/errors.ts'

export const say = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}

/** For the usage texts of commands that work on the product's database. */
export const whichDatabase = `The database is the one in DATABASE_MIGRATION_URL, or else DATABASE_DIRECT_URL, or else DATABASE_URL; if none of them is set,
the embedded one in DATA_DIR (default ./data). A server may be running.`

/** What the operating system refuses, by the error's code. */
const refusals: Record<string, string> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  EROFS: 'The file system is read-only',
  EACCES: 'The operating system does not permit this',
  EPERM: 'The operating system does not permit this',
}

const refusalOf = ({ code, syscall }: NodeJS.ErrnoException): string | undefined => {
  // What Node's recursive mkdir says of a read-only file system.
  if (code === 'ENOENT' && syscall === 'mkdir') return 'The folder cannot be created: is the file system read-only?'
  return code === undefined ? undefined : refusals[code]
}

/** The part of an error that is meant for people. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof DomainError) return error.message
  const refusal = error instanceof Error ? refusalOf(error) : undefined
  if (error instanceof Error && refusal !== undefined) return `${refusal} (${error.message})`
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
