import { closeSync, copyFileSync, fstatSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { ownLike } from './identity.ts'

const limitBytes = 5 * 1024 * 1024

export type LogFile = {
  path: string
  /** Open for appending, to pass to a child process. */
  fd: number
  /** The last lines since it was opened, for an error message. */
  newest: (lines: number) => string
  close: () => void
}

/**
 * PostgreSQL writes to the file directly, not through us: a busy server never blocks it, and it can still log why it
 * stopped after we were killed. Rotated by copying and truncating, to two files of about 5 MB.
 */
export const openLogFile = (dataDir: string): LogFile => {
  const path = join(dataDir, 'postgres.log')
  const fd = openSync(path, 'a', 0o600)
  const keepSmall = () => {
    try {
      if (statSync(path).size < limitBytes) return
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
