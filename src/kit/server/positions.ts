/**
 * Places in PostgreSQL's log of changes (LSN), as sixteen hexadecimal digits: of two, the one that sorts later is later. A
 * caller brings the place of their last write along, so that no standby answers that has not come so far (decision 046).
 */

/** In answers: where the caller's write stands. In requests: the answer must know of everything up to there. */
export const positionHeader = 'fieldtest-position'

const blockBytes = 8_192
const longestHeaderBytes = 40

/**
 * Of PostgreSQL's `16/B374D848`. Where the next change would begin behind the header of a block, what is there ends before that
 * header, and a standby says so.
 */
export const positionOf = (lsn: string): string => {
  const [high = '', low = ''] = lsn.split('/')
  const offset = Number.parseInt(low, 16)
  const inBlock = offset % blockBytes
  const end = inBlock <= longestHeaderBytes ? offset - inBlock : offset
  return (high.padStart(8, '0') + end.toString(16).padStart(8, '0')).toUpperCase()
}

/** Undefined for what is none: whoever sends that gets the primary's answer. */
export const positionIn = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\dA-F]{16}$/.test(header) ? header : undefined

/** No standby comes so far: whoever brings it is answered by the primary. */
export const beyondAll = 'F'.repeat(16)

/** The later one. */
export const later = (one: string | undefined, other: string): string =>
  one === undefined || one < other ? other : one
