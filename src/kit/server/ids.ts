/**
 * Row ids are UUIDv7 (RFC 9562): they begin with the time by the machine's clock, which is never ahead of the product's clock.
 */
import type { Instant } from '../clock.ts'

/** Sorts before every id. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/** Every id made at or after the instant is at least this one. */
export const idFrom = (instant: Instant): string => {
  const ms = Date.parse(instant).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000`
}
