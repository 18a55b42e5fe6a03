import { randomId } from './randomId.ts'

/** A random identifier of this browser, created once: several accounts on one device may be fraud (product.md §6). */
export const deviceFingerprint = (): string => {
  const known = localStorage.getItem('deviceFingerprint')
  if (known) return known
  const fresh = randomId()
  localStorage.setItem('deviceFingerprint', fresh)
  return fresh
}
