import { closeSync, copyFileSync, fstatSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { ownLike } from './identity.ts'

const LIMIT_BYTES = 5 * 1024 * 1024

export type LogFile = {
  path: string
  /** Opened for appending, to be given to a child. */
  fd: number
  /** The newest lines since it was opened, for an error message. */
  newest: (lines: number) => string
  close: () => void
}

/**
 * PostgreSQL writes into the file itself, not through us: a busy server never holds it up, and it can still say why
 * it ended after we were killed. Kept to two files of about 5 MB by copying away and cutting, which appending allows.
 */
export const openLogFile = (dataDir: string): LogFile => {
  const path = join(dataDir, 'postgres.log')
  const fd = openSync(path, 'a', 0o600)
  const keepSmall = () => {
    try {
      if (statSync(path).size < LIMIT_BYTES) return
      copyFileSync(path, `${path}.1`)
      truncateSync(path)
    } catch {
      // A full disk or a removed folder must not end the server from inside a timer.
    }
  }
  keepSmall()
  ownLike(dataDir, [path])
  const start = fstatSync(fd).size
  const timer = setInterval(keepSmall, 60_000).unref()
  return {
    path,
    fd,
    newest: lines => readFileSync(path).subarray(start).toString('utf8').trim().split('\n').slice(-lines).join('\n'),
    close: () => {
      clearInterval(timer)
      closeSync(fd)
    },
  }
}
