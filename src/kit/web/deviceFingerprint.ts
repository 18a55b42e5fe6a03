import { randomId } from './randomId.ts'

/** A random name for this browser, made once: one device behind several accounts is how fraud looks (product.md §6). */
export const deviceFingerprint = (): string => {
  const known = localStorage.getItem('deviceFingerprint')
  if (known) return known
  const fresh = randomId()
  localStorage.setItem('deviceFingerprint', fresh)
  return fresh
}
