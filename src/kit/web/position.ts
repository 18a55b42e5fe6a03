/**
 * The position in the database's log of the last write that this browser knows of, for later reads: a copy of the database may
 * answer them, but only if it has that write (decision 046). Shared by all tabs.
 */
import { clock } from '../clock.ts'

/** public/early.js reads it as well. */
const key = 'position'
/** A copy that is further behind is not read from anyway, and in a restored database positions start elsewhere. */
const keptMs = 60_000

const nothingYet = '0000000000000000'

export const currentPosition = (): string => {
  const [position, keptAt] = (localStorage.getItem(key) ?? '').split(' ')
  return position && clock.nowMs() - Number(keptAt) < keptMs ? position : nothingYet
}

/** Keeps the position of an answer or an event, if the server has copies of the database. */
export const keepPosition = (position: unknown): void => {
  if (typeof position !== 'string' || position < currentPosition()) return
  try {
    localStorage.setItem(key, `${position} ${clock.nowMs()}`)
  } catch {
    // The storage is full; copies are rarely more than a moment behind.
  }
}
