/**
 * Positions in PostgreSQL's log of changes (LSN), as sixteen hexadecimal digits that sort in order of time. A caller sends the
 * position of their last write, so no standby that has not reached it answers (decision 046).
 */

/** In answers: the position of the caller's write. In requests: the position that the answer has to include. */
export const positionHeader = 'fieldtest-position'

const blockBytes = 8_192
const longestHeaderBytes = 40

/**
 * From PostgreSQL's `16/B374D848`. If the next change would begin just behind a block's header, the last one ends before that
 * header, and that is the position a standby reports.
 */
export const positionOf = (lsn: string): string => {
  const [high = '', low = ''] = lsn.split('/')
  const offset = Number.parseInt(low, 16)
  const inBlock = offset % blockBytes
  const end = inBlock <= longestHeaderBytes ? offset - inBlock : offset
  return (high.padStart(8, '0') + end.toString(16).padStart(8, '0')).toUpperCase()
}

/** Undefined if it is not a position: such a caller gets the primary's answer. */
export const positionIn = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\dA-F]{16}$/.test(header) ? header : undefined

/** No standby ever reaches this position, so a caller who sends it is answered by the primary. */
export const beyondAll = 'F'.repeat(16)

/** The later one. */
export const later = (one: string | undefined, other: string): string =>
  one === undefined || one < other ? other : one
