/**
 * The cursors of lists with page numbers: a row's key and the page that begins after it, or ends before it. A cursor is
 * signed for one list with one choice of filters, so that it can neither be made up nor used for another.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../errors.ts'
import { wrongCursor } from '../schemas.ts'

/** 96 bits. */
const signatureBytes = 12

export type Place = {
  /** Of the page that the cursor leads to. */
  page: number
  direction: 'after' | 'before'
  /** Of the row next to that page, as the list's order compares them. */
  key: string[]
}

/** The current one first: the previous one opens what was signed before the secret was changed, and signs nothing. */
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

/** `list` says which list, with which filters. */
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
