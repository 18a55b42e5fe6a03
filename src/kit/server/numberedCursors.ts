/**
 * The cursors of lists with page numbers: a row's key, and the page that begins after it or ends before it. A cursor is signed
 * for one list and one choice of filters, so it can neither be made up nor used for another.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../errors.ts'
import { wrongCursor } from '../schemas.ts'

/** 96 bits. */
const signatureBytes = 12

export type Place = {
  /** The page that the cursor leads to. */
  page: number
  direction: 'after' | 'before'
  /** The key of the row next to that page, as the list's order compares it. */
  key: string[]
}

/** The current key comes first. The previous one opens cursors from before the secret was changed, and signs none. */
let keys: readonly Buffer[] = []

/** The secrets of the access tokens, from which the keys of the cursors are derived. */
export const useCursorSecret = (current: string, previous?: string): void => {
  keys = (previous === undefined ? [current] : [current, previous]).map(secret =>
    createHmac('sha256', secret).update('cursors').digest(),
  )
}

const signatureOf = (key: Buffer, list: string, payload: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify([list, payload]))
    .digest()
    .subarray(0, signatureBytes)

/** `list` identifies the list and its filters. */
export const cursorOf = (list: string, { page, direction, key }: Place): string => {
  const [current] = keys
  if (!current) throw new Error('useCursorSecret() first')
  const payload = JSON.stringify([page, direction, ...key])
  return Buffer.concat([signatureOf(current, list, payload), Buffer.from(payload)]).toString('base64url')
}

/** Throws INVALID_INPUT for a cursor that was not made for this list and these filters. */
export const placeOf = (list: string, cursor: string): Place => {
  const bytes = Buffer.from(cursor, 'base64url')
  const payload = bytes.subarray(signatureBytes).toString()
  const signature = bytes.subarray(0, signatureBytes)
  const known =
    signature.length === signatureBytes && keys.some(key => timingSafeEqual(signature, signatureOf(key, list, payload)))
  if (!known || bytes.toString('base64url') !== cursor) {
    throw new DomainError('INVALID_INPUT', wrongCursor, { fields: { cursor: wrongCursor } })
  }
  const [page, direction, ...key] = JSON.parse(payload) as [number, Place['direction'], ...string[]]
  return { page, direction, key }
}
