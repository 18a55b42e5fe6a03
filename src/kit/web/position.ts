/**
 * Where the last write that this browser knows of stands in the database's log, for the reads that follow: they may come from a
 * copy of the database, but not from one that does not know of it (decision 046). Shared by all tabs.
 */
import { clock } from '../clock.ts'

/** public/shell.js reads it as well. */
const key = 'position'
/** A copy that is so far behind is not read from anyhow; and a restored database counts from somewhere else. */
const keptMs = 60_000

const nothingYet = '0000000000000000'

export const currentPosition = (): string => {
  const [position, keptAt] = (localStorage.getItem(key) ?? '').split(' ')
  return position && clock.nowMs() - Number(keptAt) < keptMs ? position : nothingYet
}

/** Of an answer or an event; none where the server has no copies. */
export const keepPosition = (position: unknown): void => {
  if (typeof position !== 'string' || position < currentPosition()) return
  try {
    localStorage.setItem(key, `${position} ${clock.nowMs()}`)
  } catch {
    // The storage is full: the copies are rarely more than a moment behind.
  }
}
